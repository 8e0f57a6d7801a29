"""Heavy work in processes of its own."""
