"""变格: special structures, the rules of the books, and the classes of ten gods that both speak of."""
