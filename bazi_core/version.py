"""The release; every object names the one that made it."""

__version__ = "0.2.0"
