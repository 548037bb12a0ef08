"""Configuration, composition, serving, supervision and administration of a hub."""
