"""What agents know about Okupació: heuristics, exact endings, a learned value and levels.

An army takes a free cell in each turn. Cells next to it *fall*: they become the army's, too. If they belonged to another
army, that is a *capture*. The *pattern* of a cell is what its surroundings look like to the mover, and a *window* is the 3 x
3 cells around it.
"""
