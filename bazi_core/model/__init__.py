"""A language model as a port: one method, one call, with its time, cost and errors; independent of charts."""
