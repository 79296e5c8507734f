"""Runs each case that it is told on its standard input in a forked process of its own, and says how that ended.

Forked, because importing torch takes longer than a case. The stack of a case is small, which makes 10,000 nodes as deep
as 160,000 are on the usual one.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import threading
import traceback

import torch

import gradviz.capture.trace
from tests.capture.deep.cases import CASES

STACK = 512 * 1024
SECONDS = 100


def main() -> None:
    for line in sys.stdin:
        name, protected = json.loads(line)
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            os.close(reading)
            os.dup2(writing, 2)
            os.close(writing)
            case(name, protected)
            if not name.startswith("at exit"):
                os._exit(0)  # the interpreter's whole shutdown takes longer than a case, too
            return
        os.close(writing)
        with os.fdopen(reading, encoding="utf-8", errors="replace") as error:
            said = error.read()
        _, status = os.waitpid(child, 0)
        sys.stdout.write(json.dumps([os.waitstatus_to_exitcode(status), said]) + "\n")
        sys.stdout.flush()


def case(name: str, protected: bool) -> None:
    signal.alarm(SECONDS)
    torch.set_num_threads(1)
    resource.setrlimit(resource.RLIMIT_STACK, (STACK, resource.getrlimit(resource.RLIMIT_STACK)[1]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    threading.stack_size(STACK)
    if not protected:
        gradviz.capture.trace.secure = lambda _: None
    try:
        CASES[name]()
    except BaseException:  # noqa: BLE001  (told to the server)
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)


if __name__ == "__main__":
    main()
