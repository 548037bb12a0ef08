"""The OpenAPI document of what the hub serves."""
