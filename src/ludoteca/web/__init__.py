"""Games in a page, without a server.

Compiled rules and searches are *libraries* in WebAssembly (`libraries`), which Python in the page calls (`calling`). That
Python has no NumPy, so `numpy` replaces the part that games use. `package` is the archive of modules that a page loads, and
`shell` plays a room in the page, with the frames of a server's room.
"""
