"""Search in any game: Monte Carlo tree search, alpha-beta with a learned value, and exact endings."""
