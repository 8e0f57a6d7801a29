"""Figures for people and machines: JSON, CSV, and the sheet that a laboratory would file."""
