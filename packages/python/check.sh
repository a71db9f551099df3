#!/usr/bin/env bash
# Checks the SDK for Python in environments of its own: lint, types, tests against the real service, and the wheel outside of the repository.
# Without Python 3.10 or later it says so, and is counted as skipped. `check.sh --keep DIR` keeps the environment for the next time.
set -uo pipefail
cd "$(dirname "$0")"
export PATH="$PWD/../../node_modules/.bin:$PATH" PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1

skip() {
  printf 'skipped: the SDK for Python: %s\n0 passed, 0 failed, 1 skipped\n' "$1"
  exit 0
}
python=
for one in python3 python3.13 python3.12 python3.11 python3.10; do
  if command -v "$one" >/dev/null && "$one" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
    python=$one
    break
  fi
done
[ -n "$python" ] || skip 'there is no Python 3.10 or later with venv'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
environment=$work/environment
[ "${1:-}" = --keep ] && environment=$2
[ -x "$environment/bin/python" ] || "$python" -m venv "$environment" || exit 1
bin=$environment/bin
"$bin/pip" install -q -r tests/requirements.txt || skip 'its packages cannot be installed'
"$bin/pip" install -q . || exit 1

failed=0
step() { # name, command ...
  printf -- '-- python: %s\n' "$1"
  "${@:2}" || { printf 'failed: python: %s\n' "$1"; failed=1; }
}
# The sources, not the installed copy.
export PYTHONPATH=$PWD/src
step 'ruff check' "$bin/ruff" check --no-cache .
step 'ruff format' "$bin/ruff" format --no-cache --check .
step 'mypy --strict' "$bin/mypy" --cache-dir "$work/mypy" --python-executable "$bin/python"
step 'pyright' "$bin/pyright" --pythonpath "$bin/python"
step 'pytest' "$bin/python" -m pytest -q -rfE --junitxml "$work/tests.xml"

# The wheel, in an environment that has nothing else, from a folder that is not the repository's.
wheel() {
  "$bin/python" -m build -q --wheel --no-isolation --outdir "$work/wheel" . || return 1
  "$python" -m venv "$work/fresh" && "$work/fresh/bin/pip" install -q "$work"/wheel/*.whl || return 1
  (cd "$work" && env -u PYTHONPATH "$work/fresh/bin/python" - <<'END') || return 1
import importlib.metadata
import pathlib
import spanwise

assert "fresh" in spanwise.__file__, spanwise.__file__
assert (pathlib.Path(spanwise.__file__).parent / "py.typed").exists()
names = {line.split(">")[0].strip() for line in importlib.metadata.requires("spanwise") or []}
assert names == {"httpx", "opentelemetry-sdk", "opentelemetry-exporter-otlp-proto-http"}, names
assert importlib.metadata.version("spanwise") == spanwise.__version__
sw = spanwise.Spanwise("spw_none", "http://127.0.0.1:9", timeout=0.2)
with sw.trace("t") as trace:
    assert len(trace.trace_id) == 32
assert sw.delivery().queued == 1
sw.shutdown(0.1)
END
}
step 'the wheel' wheel

"$bin/python" - "$work/tests.xml" <<'END'
import sys
import xml.etree.ElementTree as tree

try:
    suite = next(tree.parse(sys.argv[1]).getroot().iter("testsuite"))
except OSError:
    print("0 passed, 1 failed, 0 skipped")
else:
    bad, skipped = int(suite.get("failures", 0)) + int(suite.get("errors", 0)), int(suite.get("skipped", 0))
    print(f"{int(suite.get('tests', 0)) - bad - skipped} passed, {bad} failed, {skipped} skipped")
END
exit $failed
