"""格局 and useful gods: what a chart means by the rules of the classics."""
