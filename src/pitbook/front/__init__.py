"""The front of the Python API: books, wagers, sessions and tables, with everything that can be done with them."""
