"""Check the locked dependencies: `make audit`.

Print known vulnerabilities by pip-audit. The exit status is 1 if there are any. If no service of pip-audit answers, print
the locked versions that are older than those of the registry. Run this in an environment with pip-audit and uv.
"""

import json
import subprocess
import sys
from pathlib import Path

LOCKED = "requirements/dev.txt"


def main() -> int:
    """Print the findings, and return the exit status."""
    tools = Path(sys.executable).parent
    audit = [str(tools / "pip-audit"), "-r", LOCKED, "--require-hashes", "--disable-pip", "--format", "json"]
    done = subprocess.run(audit, capture_output=True, text=True, check=False)
    try:
        found = json.loads(done.stdout)["dependencies"]
    except ValueError:
        found = []
    known = [each for each in found if "vulns" in each]
    if known:
        bad = [(each, vulnerability) for each in known for vulnerability in each["vulns"]]
        print(f"audit: {len(known)} of {len(found)} dependencies were looked up, {len(bad)} vulnerabilities are known")
        for each, vulnerability in bad:
            mended = ", ".join(vulnerability["fix_versions"]) or "no version yet"
            print(f"audit: {each['name']} {each['version']}: {vulnerability['id']}, mended in {mended}")
        return 1 if bad else 0
    why = "its service knows none of them" if found else f"pip-audit: {done.stderr.strip()[-200:]}"
    print(f"audit: vulnerabilities cannot be looked up here ({why}); versions instead:")
    older = [str(tools / "uv"), "pip", "list", "--outdated", "--format", "json", "--python", ".venv/bin/python"]
    listed = subprocess.run(older, capture_output=True, text=True, check=False)
    if listed.returncode:
        print(f"audit: the registry cannot be asked either: {listed.stderr.strip()}")
        return 0
    names = {line.partition("==")[0] for line in Path(LOCKED).read_text(encoding="utf-8").splitlines() if "==" in line}
    outdated = [each for each in json.loads(listed.stdout) if each["name"] in names]
    for each in outdated:
        print(f"audit: {each['name']} {each['version']}, the newest is {each['latest_version']}")
    print(f"audit: {len(names)} dependencies are locked, {len(outdated)} of them not to the newest version")
    return 0


if __name__ == "__main__":
    sys.exit(main())
