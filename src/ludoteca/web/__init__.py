"""Games in a web page that needs no server: Python, the rules and the searches run in the page.

The compiled rules and searches are *libraries* in WebAssembly (`libraries`), which the Python in the page calls (`calling`).
That Python has no NumPy, so the package `numpy` here replaces the part of it that games use. `package` makes the archive of
modules that a page loads, and `pages` writes the pages. `shell` plays a room (one game with its players) in the page, with
the same messages as a server.
"""
