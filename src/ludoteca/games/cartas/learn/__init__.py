"""Observations and symmetries for learners."""
