"""Agents' knowledge of Metro: heuristics, learned values and levels of strength.

Words in this package: trains start at the edge of the board. A *lane* is a way into a space across one of its sides. Tracks
that join make a *chain*, from the lane into its first tile to the lane out of its last tile. A chain is *open* while one of
its ends leads into a free space. A path scores a point for each of its tiles when its train arrives at a *station*, and two
if the station is in the *centre*.
"""
