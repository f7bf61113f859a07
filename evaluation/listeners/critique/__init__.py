"""Critic of reasoning: detects events, parses claims, and compares them."""
