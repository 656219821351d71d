"""Run all benchmarks, one after another, and name the machine."""

import os
import platform
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

SCRIPTS = (
    "adjudication.py",
    "environment.py",
    "language.py",
    "messages.py",
    "server.py",
)


def machine() -> str:
    """Return what the figures were measured on."""
    names = Path("/proc/cpuinfo")
    model = ""
    if names.exists():
        lines = names.read_text().splitlines()
        model = next((x.partition(": ")[2] for x in lines if "model name" in x), "")
    python = platform.python_version()
    return f"{model or platform.processor()}, {os.cpu_count()} CPUs, Python {python}"


def main() -> None:
    """Run each script in a process of its own."""
    print(machine())
    for script in SCRIPTS:
        if script == "environment.py" and find_spec("pettingzoo") is None:
            print("\n== environment.py needs the extra env")
            continue
        print(f"\n== {script}", flush=True)
        path = Path(__file__).parent / script
        subprocess.run([sys.executable, str(path)], check=True)


if __name__ == "__main__":
    main()
