"""Books and their mathematics, as the API offers them."""
