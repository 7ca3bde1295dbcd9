"""Players for any game with the knowledge of their seat, their explanations, and the analysis of games."""
