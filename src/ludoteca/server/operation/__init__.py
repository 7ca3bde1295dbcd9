"""The operator's interfaces to a server: metrics, rooms and clients, blocked addresses. Imported by `ludoteca serve`."""
