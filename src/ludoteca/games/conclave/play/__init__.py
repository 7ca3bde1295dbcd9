"""What agents know about Conclave: heuristics, a learned value and levels.

Each card has a *magic*, which is its colour, and an *influence*, which is a number. The *followers* are the cards that a
player has won. At the end, followers of a magic that another player controls are *disappointed*, and cost points. To *cede*
is to give all followers of a magic to another player.
"""
