"""Search over any game's rules: Monte Carlo tree search with and without secrets, and exact play where it is small."""
