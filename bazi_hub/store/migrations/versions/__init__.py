"""The history of the schema, one revision a file."""
