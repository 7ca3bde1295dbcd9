"""The rooms of a running server, each the place of one game. A room in memory has one task (its *actor*), which stores an
event, changes the table and sends the event to the clients, in this order.
"""
