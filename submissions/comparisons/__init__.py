"""Comparisons of two submissions: requests, and paired differences with intervals."""
