"""The rooms as they run: each is one task that stores an event, folds it into its table and tells its clients."""
