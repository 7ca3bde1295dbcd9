"""Policies for the toy game Duel, which tests bind to it."""
