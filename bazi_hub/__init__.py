"""The hub that serves the core over MCP and REST; nothing is here yet."""
