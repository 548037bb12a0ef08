"""格局, special structures and useful gods: what a chart means by the rules of the classics."""
