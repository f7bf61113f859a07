"""Question packs as datasets: Parquet files with embedded audio and a card, in a folder or on the Hub.

Packs are the only input: the test split of a dataset has the content of its pack, and no answers.
"""
