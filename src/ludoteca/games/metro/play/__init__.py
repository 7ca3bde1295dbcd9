"""Knowledge of agents: heuristics, exact endings, learned values and levels."""
