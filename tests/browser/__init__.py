"""A package, so that all its modules share a browser, which ends with the last of them."""
