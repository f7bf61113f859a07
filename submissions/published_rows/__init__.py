"""Published rows: files of reported results, and changes to them by maintainers."""
