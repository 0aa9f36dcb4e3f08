"""Starts a worker: what the interpreter does before the native part takes over.

Runs outside the jail, before any program is read. Imports what programs
usually import, so that they find it warm, and hands over to the extension
module, which builds the jail and forks once a program.
"""

import _random
import functools
import gc
import importlib.machinery
import importlib.util
import os
import random
import sys

# What most programs import. Every page that a module takes is copied once a
# program (its table entry at least), so rarer modules are not worth their place.
WARM = (
    "array bisect cmath collections copy datetime functools heapq itertools math operator re"
    " string struct time typing"
).split()


# Executed once, so that what the interpreter makes at first use (the compiler's
# node types alone take longer than a fork), it has made before it forks.
WARM_PROGRAM = """
import math
from typing import Any, Dict, List, Optional, Set, Tuple, Union

class Warm:
    def __init__(self, values: List[int]) -> None:
        self.values = values

def warm(values: List[int], table: Dict[str, int], best: Optional[float] = None) -> Tuple[int, str]:
    '''>>> warm([1, 2], {})'''
    total = 0
    for index, value in enumerate(sorted(values, key=lambda value: -value)):
        if value % 2 == 0 and index < len(values):
            total += value ** 2
    while total > 100:
        total //= 2
    try:
        assert table["b"] == total, "not there"
    except (KeyError, AssertionError) as error:
        text = f"{error} {total:.2f}"
    return total, " ".join(str(value) for value in set(values)) + text[::-1].strip().upper()

METADATA = {"author": "", "dataset": "test"}

def check(candidate):
    assert candidate([3, 1, 2], {"a": 1}) == (4, "1 2 300.4 'B'"), "warm"
    assert abs(math.sqrt(2.0) - 1.4142) < 1e-3
    assert [x for x in range(3) if x] == [1, 2] and Warm([]).values == []

check(warm)
"""


def readable_paths():
    """Folders and files that the interpreter needs, as absolute paths."""
    paths = {os.path.abspath(path) for path in sys.path if path}
    paths.update(path for path in (sys.executable, os.path.realpath(sys.executable)) if path)
    # The C library and whatever else is mapped: the folders they lie in hold
    # what further extension modules need.
    with open("/proc/self/maps") as maps:
        mapped = {line.split(None, 5)[5].strip() for line in maps if line.count("/")}
    for path in mapped:
        if path.startswith("/") and os.path.exists(path) and ".so" in os.path.basename(path):
            paths.update((os.path.dirname(path), os.path.dirname(os.path.realpath(path))))
    # The loader's own path, and data of the standard library.
    paths.update(("/lib64", "/usr/lib64", "/etc/ld.so.cache", "/usr/share/zoneinfo"))
    shown = []
    for path in sorted(path for path in paths if os.path.exists(path) and path != "/"):
        if not any(path.startswith(folder + "/") for folder in shown):
            shown.append(path)
    return shown


def native_part(fd):
    loader = importlib.machinery.ExtensionFileLoader("fbt_sandbox_runner", f"/proc/self/fd/{fd}")
    spec = importlib.util.spec_from_loader("fbt_sandbox_runner", loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    sys.modules.pop("fbt_sandbox_runner", None)
    return module.serve


def main():
    sys.path[:] = [path for path in sys.path if path]
    sys.argv[:] = [""]
    for name in WARM:
        __import__(name)
    exec(compile(WARM_PROGRAM, "<program>", "exec"), {})
    serve = native_part(MODULE_FD)  # noqa: F821 (defined by the line before this file)
    paths = readable_paths()
    # random.seed() without its Python part, which costs more than the seeding.
    reseed = functools.partial(_random.Random.seed, random.seed.__self__)
    gc.collect()
    gc.freeze()
    serve(paths, reseed)


main()
