"""A bot in ten lines: the first legal order of each unit."""
# ruff: noqa: INP001, T201 - a script that speaks on its standard output

import json
import sys

for line in sys.stdin:
    heard = json.loads(line)
    if heard["type"] == "hello":
        print(
            '{"type": "ready", "name": "TenLines", "wants": ["possible"]}', flush=True
        )
    if heard["type"] == "turn":
        first = [orders[0] for orders in heard["possible"].values()]
        print(
            json.dumps({"type": "orders", "orders": first[: heard["due"]]}), flush=True
        )
