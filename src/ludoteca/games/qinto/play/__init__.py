"""Agents' knowledge of Q!nto: heuristics, a learned value and levels of strength.

Words in this package: a *kind* of tile has a shape and a colour. A *wild* counts as any shape, any colour, or both. A turn
consists of *steps*: it *adds* tiles to one line, *swaps* tiles for wilds on the grid, or *trades* tiles, which puts them
under the pile. The *rim* is the set of the empty cells next to tiles.
"""
