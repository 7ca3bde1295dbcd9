"""Games between agents and programs: the players, the referee, the formats of tournaments, their files and the store of
games.
"""
