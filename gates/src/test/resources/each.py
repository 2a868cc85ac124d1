"""Serves a script's calls one after another, so that its libraries are loaded once."""

import os
import sys
import traceback


def each(work):
    """Does the work with each path of the input, in a process that knows nothing of the calls before.

    A call is three paths with tabs between them: the input, and where what the work prints and what is wrong go. The
    answer is the status with which the process ended.
    """
    for call in sys.stdin:
        given, out, err = call.rstrip("\n").split("\t")
        child = os.fork()
        if child == 0:
            os._exit(status(work, given, out, err))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def status(work, given, out, err):
    with open(out, "w", encoding="utf-8") as sys.stdout, open(err, "w", encoding="utf-8") as sys.stderr:
        try:
            work(given)
            return 0
        except BaseException:
            traceback.print_exc()
            return 1
