"""The operator's interfaces to a server: metrics, rooms and clients. Imported by `ludoteca serve`."""
