"""Who asks, how they sign in, what they may, and acts of two persons."""
