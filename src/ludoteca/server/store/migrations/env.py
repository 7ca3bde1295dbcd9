"""The script that Alembic runs for every command. It uses the connection and the transaction of the caller."""

from alembic import context

from ludoteca.server.store.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
