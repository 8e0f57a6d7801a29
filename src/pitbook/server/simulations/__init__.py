"""Simulated nights beside the tables: checked scenarios, one run at a time, recent results."""
