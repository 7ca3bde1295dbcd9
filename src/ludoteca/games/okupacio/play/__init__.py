"""Agents' knowledge of Okupació: heuristics, exact endings, a learned value and levels of strength.

Words in this package: an army takes a free cell in each turn. Cells next to it may *fall*, which means that they become the
army's, too. A cell that falls and belonged to another army is a *capture*. The *pattern* of a cell is how its surroundings
look to the mover, and a *window* is the 3 x 3 cells around it.
"""
