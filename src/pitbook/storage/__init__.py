"""What the journal and the access store share: connections to PostgreSQL."""
