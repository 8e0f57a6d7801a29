"""Double-entry transfers between named accounts."""
