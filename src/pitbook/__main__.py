"""`python -m pitbook`."""

from pitbook.cli import main

if __name__ == "__main__":
    main()
