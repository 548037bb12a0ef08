"""A call from its arguments to its outcome: the checks in order, its execution, turns at the reader, the hub itself."""
