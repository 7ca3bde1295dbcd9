"""Players of any game that know what their seat knows; what they think, and what the moves of a game were worth."""
