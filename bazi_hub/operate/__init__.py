"""How a hub is configured, put together, served, watched and administered."""
