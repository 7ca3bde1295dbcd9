"""Policies for the toy game Duel."""
