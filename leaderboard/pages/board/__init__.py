"""The tab of a benchmark: its board and its charts."""
