"""Simulated nights beside the tables: scenarios checked, one run at a time, results kept for a while."""
