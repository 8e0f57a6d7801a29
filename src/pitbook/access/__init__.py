"""What is secret or changes, kept beside the journal: passwords, sessions, tokens, one-time links, leases."""
