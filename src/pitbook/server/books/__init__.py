"""Books and their mathematics, as the API asks and tells them."""
