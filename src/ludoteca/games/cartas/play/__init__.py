"""Agents' knowledge of Jogo de Cartas: heuristics, exact endings, a learned policy and levels of strength.

Words in this package: a player *leads* if there is no combination to answer, and otherwise *answers* or passes. A *shape* is
the type and the size of a combination. A hand *takes* a number of *turns*: the fewest plays in which all its cards can be
played.
"""
