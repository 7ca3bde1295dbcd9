"""The model of a room, without any input or output.

The *events* of a room are stored (`events`). Applied one after the other, they make its *table* (`table`), with the game
(`history`), the clocks (`clock`) and the seats. Clients that see the same are one group of the *audience* (`audience`).
`room` handles an event, such as a client's request (`requests`), and returns *effects* (`effects`).
"""
