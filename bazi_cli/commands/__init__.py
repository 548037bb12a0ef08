"""The commands, one module each; click runs its `command`."""
