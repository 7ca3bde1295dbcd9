"""What a client makes of scenes and their changes: slow, and as plain as docs/api.md says it."""

from typing import Any


def changed(scene: list[Any], change: dict[str, Any]) -> list[Any]:
    """The scene with a change in it; both as JSON has them."""
    width, height, field = change["size"] or (*scene[:2], scene[5])
    items = {item[0]: item for item in scene[2]} | {item[0]: item for item in change["changed"]}
    names = [item[0] for item in scene[2]]
    order: list[str] = []
    for part in change["order"] if change["order"] is not None else [[0, len(names)]]:
        order += [part] if isinstance(part, str) else names[part[0] :][: part[1]]
    shown = [items[name] for name in order if name not in change["gone"]]
    return [width, height, shown, change["standings"], change["task"], field]
