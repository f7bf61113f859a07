"""Grammar of true/false answers: words, clauses, what a denial covers, and the verdict that a clause gives."""
