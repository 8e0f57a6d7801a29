"""A house: its tables, people and dice over one journal."""
