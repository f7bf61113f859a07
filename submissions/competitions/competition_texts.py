"""Rule and texts of competition mode."""

MIN_GAIN = 0.03
"""Gain of the headline that a release also needs: the Ladder alone does not stop small steps (`decide_release`)."""

_POINTS = f"{100 * MIN_GAIN:g} points"

NOTICE = (
    "Competition mode: in each setting, your first submission gets scores, and a later one only if it exceeds your "
    f"best headline score by more than the standard error and by at least {_POINTS}."
)
"""What everyone reads on the board, on the Submit tab and in the API."""

NO_CHANGE_CODE = "no-significant-change"
NO_CHANGE = (
    "No significant change: the headline score does not exceed that of your best submission by more than the standard "
    f"error and by at least {_POINTS}, so this submission gets no scores and no row on the board."
)
"""What an owner reads instead of scores."""
