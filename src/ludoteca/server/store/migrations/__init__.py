"""How an older database becomes a newer one, run by `store.schema`. Each file in `versions` is one step."""
