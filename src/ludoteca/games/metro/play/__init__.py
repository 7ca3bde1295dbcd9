"""What agents know about Metro: heuristics, learned values and levels.

Trains start at the edge of the board. A *lane* is a way into a space across one of its sides. Tracks that join make a
*chain*, from the lane into its first tile to the lane out of its last tile. It is *open* while an end leads into a free
space. A path scores a point for each of its tiles when its train arrives at a *station*, and two if the station is in the
*centre*.
"""
