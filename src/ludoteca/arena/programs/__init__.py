"""Programs written by others: the sandbox in which they run, and the exchange of lines with a bot during a game."""
