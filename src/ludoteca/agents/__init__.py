"""Players of any game that know what their seat knows: random, greedy, search at levels."""
