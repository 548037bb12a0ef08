"""The hub over HTTP: guards, the two protocols, public documents. An ASGI application, for any server."""
