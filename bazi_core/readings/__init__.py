"""Charts in words: by a model through a port, with the pure steps around the call, or by rules alone."""
