"""A bot in ten lines: the first legal order of each unit."""

import json
import sys

for line in sys.stdin:
    heard = json.loads(line)
    if heard["type"] == "hello":
        print('{"type": "ready", "name": "Ten", "wants": ["possible"]}', flush=True)
    if heard["type"] == "turn":
        first = [orders[0] for orders in heard["possible"].values()]
        answer = {"type": "orders", "orders": first[: heard["due"]]}
        print(json.dumps(answer), flush=True)
