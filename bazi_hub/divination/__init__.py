"""Divination runs: a cast that is derived, interpreted and paid as one, with a log that any reader can follow.

`problems` what can go wrong · `fields` texts and ids with bounds · `request` what is asked · `answers` what comes back ·
`cast` what follows from it · `language` in which it is told ·
`output` what is told · `service` admission · `execution` execution and settlement · `feed` who reads along ·
`days` days of the history · `schemas` the models as published shapes
"""
