"""Model runs: users ask their own model a benchmark's questions, on their own machine (`python -m submissions run`)."""
