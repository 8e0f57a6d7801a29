"""The readers of the machines: settle, illuminate, progress and lammers, chance, draw."""
