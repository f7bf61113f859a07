"""Published rows: files of results from papers, and how maintainers change them."""
