"""Agents' knowledge of Conclave: heuristics, a learned value and levels of strength.

Words in this package: each card has a *magic*, which is its colour, and an *influence*, which is a number. The *followers*
are the cards that a player has won. At the end, followers of a magic that another player controls are *disappointed*, and
cost points. To *cede* is to give all followers of a magic to another player.
"""
