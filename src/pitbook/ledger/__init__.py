"""Money that moves: double-entry transfers between named accounts."""
