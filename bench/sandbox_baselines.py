"""What the sandbox's speed is compared with: runs the programs of a JSON file
(a list of source texts) without isolation and prints the seconds it took.

    sandbox_baselines.py fork-exec FILE WORKERS   a fresh interpreter a program
    sandbox_baselines.py manager FILE WORKERS     a multiprocessing process and a
                                                  Manager a program
"""

import concurrent.futures
import json
import multiprocessing
import os
import sys
import tempfile
import time


def fork_exec(programs, workers):
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for index, program in enumerate(programs):
            paths.append(os.path.join(folder, f"{index}.py"))
            with open(paths[-1], "w") as file:
                file.write(program)
        start = time.perf_counter()
        running = failed = 0
        for path in paths:
            if running == workers:
                failed += os.wait()[1] != 0
                running -= 1
            if os.fork() == 0:
                os.execv(sys.executable, [sys.executable, path])
            running += 1
        while running:
            failed += os.wait()[1] != 0
            running -= 1
        return time.perf_counter() - start, failed


def execute(program, result):
    try:
        exec(program, {})
        result.append("passed")
    except BaseException as error:
        result.append(f"failed: {error}")


def managed(program):
    manager = multiprocessing.Manager()
    result = manager.list()
    process = multiprocessing.Process(target=execute, args=(program, result))
    process.start()
    process.join(timeout=4)
    if process.is_alive():
        process.kill()
    return list(result) == ["passed"]


def manager(programs, workers):
    start = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(workers) as executor:
        failed = sum(not passed for passed in executor.map(managed, programs))
    return time.perf_counter() - start, failed


if __name__ == "__main__":
    method = {"fork-exec": fork_exec, "manager": manager}[sys.argv[1]]
    with open(sys.argv[2]) as file:
        seconds, failed = method(json.load(file), int(sys.argv[3]))
    print(seconds, failed)
