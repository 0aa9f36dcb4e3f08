"""Breaks working programs and runs the broken ones in a bare interpreter.

Standard input: a JSON list of {"id", "code": working solution, "test": what judges it}.
Standard output: a JSON list of {"id", "kind", "program", "outcome"}, up to three a
solution: one operator broken, one return removed, one infinite loop inserted,
where the id says (a solution's mutants are the same in whatever list it stands).
The outcome is "passed" (its last statement was executed, and nothing failed after
that), "failed", or "timeout": still running after CPU_SECONDS of its own time,
however busy the machine is, or asleep after ten times as many minutes.

    mutants.py CPU_SECONDS MEMORY_BYTES
"""

import ast
import concurrent.futures
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile

OPERATORS = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.Mod: ast.Add,
    ast.FloorDiv: ast.Mult, ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.And: ast.Or, ast.Or: ast.And, ast.In: ast.NotIn,
    ast.Is: ast.IsNot,
}  # fmt: skip


def operator_places(tree):
    for node in ast.walk(tree):
        if isinstance(node, (ast.BinOp, ast.AugAssign, ast.BoolOp)) and type(node.op) in OPERATORS:
            yield node
        elif isinstance(node, ast.Compare) and type(node.ops[0]) in OPERATORS:
            yield node


def break_operator(tree, choose):
    places = list(operator_places(tree))
    if not places:
        return False
    node = choose(places)
    if isinstance(node, ast.Compare):
        node.ops[0] = OPERATORS[type(node.ops[0])]()
    else:
        node.op = OPERATORS[type(node.op)]()
    return True


def bodies(tree):
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            statements = getattr(node, field, None)
            if isinstance(statements, list):
                yield statements


def remove_return(tree, choose):
    places = [
        (statements, index)
        for statements in bodies(tree)
        for index, statement in enumerate(statements)
        if isinstance(statement, ast.Return)
    ]
    if not places:
        return False
    statements, index = choose(places)
    statements[index] = ast.Pass()
    return True


def insert_loop(tree, choose):
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    if not functions:
        return False
    choose(functions).body.insert(0, ast.parse("while True: pass").body[0])
    return True


MUTATIONS = {"operator": break_operator, "return": remove_return, "loop": insert_loop}


def mutants(problem):
    choose = random.Random(problem["id"]).choice
    for kind, mutate in MUTATIONS.items():
        tree = ast.parse(problem["code"])
        if mutate(tree, choose):
            program = ast.unparse(ast.fix_missing_locations(tree)) + "\n" + problem["test"]
            yield {"id": problem["id"], "kind": kind, "program": program}


# Appended to a program, since a bare interpreter's status is 0 after an exit() too.
NOTE_END = "\nopen('ended', 'w').close()\n"


def bare_outcome(program, cpu_seconds, memory):
    def set_limits():
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.py")
        with open(path, "w") as file:
            file.write(program + NOTE_END)
        try:
            done = subprocess.run(
                [sys.executable, path],
                cwd=folder,
                timeout=600 * cpu_seconds,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={"PYTHONHASHSEED": "0"},
                preexec_fn=set_limits,
            )
        except subprocess.TimeoutExpired:
            return "timeout"
        ended = os.path.exists(os.path.join(folder, "ended"))
    # At the hard limit the kernel kills; nothing else here does.
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return "timeout"
    return "passed" if ended and done.returncode == 0 else "failed"


def main():
    cpu_seconds, memory = int(sys.argv[1]), int(sys.argv[2])
    all_mutants = [mutant for problem in json.load(sys.stdin) for mutant in mutants(problem)]
    programs = [mutant["program"] for mutant in all_mutants]
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as executor:
        outcomes = executor.map(lambda each: bare_outcome(each, cpu_seconds, memory), programs)
        for mutant, outcome in zip(all_mutants, outcomes):
            mutant["outcome"] = outcome
    json.dump(all_mutants, sys.stdout)


if __name__ == "__main__":
    main()
