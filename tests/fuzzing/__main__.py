"""`make fuzz SECONDS=60`: cases of every target in turn until the time is over.

A fault is printed with the command that tries its case again; the exit code is then 1.
"""

import sys
import time
import traceback
from itertools import count
from random import Random
from secrets import randbelow

from tests.fuzzing.pages import pages
from tests.fuzzing.targets import TARGETS

EVERY = {**TARGETS, "pages": pages}
ONE_IN = {"pages": 500}  # they take a second each


def try_case(target, number):
    """Whether a case finds no fault; one that it finds is printed."""
    try:
        EVERY[target](Random(f"{target} {number}"))
    except Exception:  # whatever is not refused in words is a fault
        traceback.print_exc()
        print(f"Again: python -m tests.fuzzing {target} {number}", flush=True)
        return False
    return True


def main(seconds):
    """Try cases for so many seconds; 1 if there were faults."""
    end, first, n_faults = time.monotonic() + seconds, randbelow(10**9), 0
    done = dict.fromkeys(EVERY, 0)
    for number in count(first):
        for target in EVERY:
            if (number - first) % ONE_IN.get(target, 1) == 0:
                n_faults += not try_case(target, number)
                done[target] += 1
        if time.monotonic() > end:
            break
    cases = ", ".join(f"{n:,} of {target}" for target, n in done.items())
    print(f"{sum(done.values()):,} cases ({cases}): {n_faults} faults")
    return int(n_faults > 0)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        sys.exit(not try_case(sys.argv[1], int(sys.argv[2])))
    sys.exit(main(float(sys.argv[1])))
