#!/bin/sh
# usage: try-versions.sh lowest|newest: the quick tests with the lowest versions of all dependencies and extras that
# pyproject.toml allows, or with the newest. The environment is .venv-lowest or .venv-newest.
set -eu
case $1 in
    lowest) resolution=lowest-direct ;;
    newest) resolution=highest ;;
    *) echo "try-versions: read $1, expected lowest or newest" >&2; exit 2 ;;
esac
uv=.venv-audit/bin/uv environment=.venv-$1
"$uv" venv --quiet --clear --python "${PYTHON:-python3}" "$environment"
"$uv" pip install --quiet --python "$environment/bin/python" --resolution "$resolution" \
    --editable '.[build,postgres,pettingzoo,gymnasium,openspiel,dataset]'
"$uv" pip install --quiet --python "$environment/bin/python" httpx hypothesis playwright pytest pytest-xdist schemathesis
"$environment/bin/pytest" -n 3 -m "not slow"
