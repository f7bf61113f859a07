"""Kinds of questions: each module reads the words of one kind and answers it from what is heard."""
