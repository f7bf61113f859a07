"""Listening test: rounds of practice questions, marking, and the pooled results of listeners who consent."""
