"""A server for rooms, in which people and agents play in the browser, over HTTP and WebSockets.

**A room** is the place of one game. It has a *seat* for each player: a person's, an agent's, or an open one, which a person
can take. A *client* is a connection to the room, such as a page in a browser. With the *secret* of a seat (`token`) it acts
for that seat. Without one it is a *spectator*. Client and room exchange *frames*, which are JSON objects (`frames`). If the
room does not carry out a request, it refuses it with a code of `refusals`.

**An event** is something that happened in a room, such as a move. It is stored before it is sent to a client. The events of
a room, in their order, make its *table*: its seats, game and clock. So a room without clients can *sleep*, to free memory,
and is *woken* from its events for the next client. Each client is sent only what its seat may see.

**The packages.** `model` is a room without input and output: an event comes in, and *effects* come out, such as "store this"
or "send that". `rooms` has an *actor* for each room that is awake, which carries out the effects. `store` keeps rooms and
events in SQLite or PostgreSQL. If several servers share a database, a *lease* names the server that has a room, and its
*epoch* is the number of times that a server has taken the room. `thinking` has processes for agents, analyses and records.
`http` serves the pages and the API, and `operation` serves the operator. `static` holds the pages.
"""
