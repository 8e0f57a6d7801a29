"""Are these dice fair? Tests that may be looked at after every throw."""
