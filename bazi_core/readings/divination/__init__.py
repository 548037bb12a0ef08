"""Readings of a cast of 六爻: what they look like, what a model is told, and the check of every claim.

Their vocabulary and grammar differ from those of a chart: a line is named by its place, its relative, its pillar or what
it stands for, and what is said of it must be true of one and the same line.
"""
