"""A table, run by the book: commands request, events record. `decide` changes nothing, `evolve` checks nothing."""
