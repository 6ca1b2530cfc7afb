"""Runs vectors of the families `stamps` and `heading` (`get_heading`): python3 conformance_runner.py FILE…"""
import gzip, json, math, os, sys


# The implementation under test. In your runner, call your own code instead.
def newer16(old, new):  # rule D2
    return new < old if abs(new - old) > 0x7FFF else old < new


def newer15(server, action):  # rule E8.6
    s, a = server & 0x7FFF, action & 0x7FFF
    return s < a if abs(a - s) <= 0x3FFF else a < s


def get_heading(q):  # rules A2 and A4: the heading of the image of the local Y axis
    w, x, y, z = q
    forward = [2 * x * y - 2 * w * z, 1 - 2 * x * x - 2 * z * z]
    return math.fmod(450 - math.degrees(math.atan2(forward[1], forward[0])), 360)


# The runner: translates a line into a call and returns the first difference, or None. It contains no rule.
def run_line(line):
    if line["fn"] == "newer16":
        return differs("newer", line["newer"], newer16(line["old"], line["new"]))
    if line["fn"] == "newer15":
        return differs("newer", line["newer"], newer15(line["server"], line["action"]))
    if line["fn"] == "get_heading":
        got = get_heading(line["q"])
        off = abs(got - line["heading"]) % 360
        return None if min(off, 360 - off) <= 0.02 else ("heading", line["heading"], got)
    return "skipped"  # a function that this runner does not know is counted, never passed


def differs(path, expected, got):
    return None if expected == got else (path, expected, got)


failures = 0
for name in sys.argv[1:]:
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    with (gzip.open if name.endswith(".gz") else open)(name, "rt") as file:
        for number, text in enumerate(file, 1):
            difference = run_line(json.loads(text))
            result = {None: "passed", "skipped": "skipped"}.get(difference, "failed")
            counts[result] += 1
            if result == "failed":
                path, expected, got = difference
                print(f"  {name}:{number}: {path}: expected {expected}, got {got}")
    failures += counts["failed"]
    print(f"{os.path.basename(name)}:", ", ".join(f"{count} {result}" for result, count in counts.items()))
sys.exit(1 if failures else 0)
