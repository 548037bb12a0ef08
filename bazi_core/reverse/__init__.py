"""The way back: from pillars, whole or in part, to the times that have them."""
