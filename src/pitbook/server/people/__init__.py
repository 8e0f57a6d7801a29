"""Authentication, sign-in, rights, and the directory of accounts."""
