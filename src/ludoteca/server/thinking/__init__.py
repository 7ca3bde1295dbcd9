"""Processes for work that would block the server's event loop: the moves of agents, analyses of games, uploaded records,
animated pictures and compilation.
"""
