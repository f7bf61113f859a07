"""Submission states that the database itself distinguishes."""

SCORED_STATES = ("scored", "awaiting-judge", "running")
"""States in which a submission has scores to show where it has a current scoring: all of them, or, while it waits for
the judge or is judged, those of its other parts."""

JUDGE_LANES = ("judge", "held")
"""Lanes of what waits for the judge, or for a maintainer's look at what it said."""
