"""Who asks: API keys, passwords, sessions, and the cookies of others."""
