"""The rooms as they run. Each room is one task (its *actor*), which stores an event, changes the table and tells the
clients, in this order.
"""
