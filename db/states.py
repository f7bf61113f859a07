"""Submission states that the database itself distinguishes."""

SCORED_STATES = ("scored", "awaiting-judge", "running")
"""States in which a submission with a current evaluation has scores: all of them or, while its open answers wait for a
judge or are judged, those of its other parts."""

UNRELEASED = "unreleased"
"""State of a submission in competition mode without a significant gain: its evaluation is stored but never current, so
nothing that reads scores finds any."""

JUDGE_LANES = ("judge", "held")
"""Queues of submissions that wait for the judge, or for a maintainer's review of its verdicts."""
