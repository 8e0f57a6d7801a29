"""A house: its tables, wired to a journal that loses nothing."""
