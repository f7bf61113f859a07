"""The Hugging Face Hub as a partner: metadata of models, proposals of results to model cards."""
