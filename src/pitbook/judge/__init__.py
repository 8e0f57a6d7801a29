"""Judging a book by its figures: variants under every reading, comparison, lint, and the design of pay tables."""
