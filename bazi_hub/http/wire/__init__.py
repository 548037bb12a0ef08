"""Bytes to calls and outcomes to bytes, for MCP and REST. Pure functions: nothing here waits, reads or sends."""
