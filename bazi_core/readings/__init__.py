"""Charts in words: the port to what writes, the pure steps around it, the rules that need no port at all."""
