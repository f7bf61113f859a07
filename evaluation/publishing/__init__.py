"""Question packs as datasets: Parquet files with embedded audio and a card, in a folder or on the Hub.

Packs are all that is read: the test split of a dataset holds what a pack of the test split holds, and no answer.
"""
