"""Analyse whole books: variants under every reading, comparison, lint, and the design of pay tables."""
