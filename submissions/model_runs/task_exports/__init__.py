"""Exports of a question pack as a task of inspect_ai or lmms-eval, which Earshot scores by the tool's own log."""
