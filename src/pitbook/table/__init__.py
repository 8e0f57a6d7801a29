"""A table, run by the book: commands ask, events tell. `decide` changes nothing, `evolve` checks nothing."""
