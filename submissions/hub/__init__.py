"""Hugging Face Hub: model metadata, and proposals of results to model cards."""
