"""Critic of reasoning: hears what happens, reads what is claimed, and compares."""
