"""The version of the release, a member of every object."""

__version__ = "0.2.0"
