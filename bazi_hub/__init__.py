"""The hub: twelve tools over MCP, REST and plain function calls, behind one dispatch.

Modules stand on those to their left: errors < call < ports < memory < tools < catalog < hub < wire < adapters, identity,
server < app. `app` alone reads the environment.
"""
