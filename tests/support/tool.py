# SPDX-License-Identifier: Apache-2.0
"""Runs the built tools as a user would, and reads what they say strictly."""

import contextlib
import json
import os
import pathlib
import pty
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

BIN = pathlib.Path(os.environ.get("SHAKEDOWN_BIN", "build/ci/bin")).resolve()
BENCH = BIN / "all_reduce_bench"
SUPPORT = pathlib.Path(__file__).resolve().parent
HAS_MPI = os.environ.get("SHAKEDOWN_MPI", "ON") == "ON" and shutil.which("mpirun") is not None
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe"]
# Two payloads, a moment's work.
SHORT = ["--backend", "cpu", "-b", "1K", "-e", "2K", "-n", "2", "-w", "1"]
# Rows every few milliseconds for minutes: something to interrupt.
LONG = ["--backend", "cpu", "-b", "64K", "-e", "1G", "-i", "64K", "-n", "20"]
# Left behind by a launcher, these would decide how the tool starts.
LAUNCHERS = ("OMPI_", "PMIX_", "PMI_", "SLURM_", "RANK", "WORLD_SIZE", "LOCAL_RANK", "SHAKEDOWN_", "NO_COLOR")


def environment(**changes):
    """The caller's environment without a launcher's traces; a change to None takes a variable away."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(LAUNCHERS)}
    kept.update(changes)
    return {name: value for name, value in kept.items() if value is not None}


class Done:
    """What a finished command left: exit status (128 + signal when one ended it), text, seconds."""

    def __init__(self, status, out, err, seconds):
        self.status = 128 - status if status < 0 else status
        self.out, self.err, self.seconds = out, err, seconds

    def __str__(self):
        return f"exit {self.status} after {self.seconds:.2f} s\n--- stdout\n{self.out}\n--- stderr\n{self.err}"


class Running:
    """A command with all its descendants in a session of its own, so that none survives the test."""

    def __init__(self, command, *, env=None, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, **more):
        self.started = time.monotonic()
        self.process = subprocess.Popen([str(word) for word in command], env=env or environment(), stdin=stdin, stdout=stdout, stderr=stderr,
                                        start_new_session=True, text=True, errors="backslashreplace", **more)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for pid in self.session():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            if stream:
                stream.close()

    def session(self):
        """Processes of the session that are alive; ranks under mpirun are groups of their own, but stay in it."""
        return [pid for pid, fields in processes() if int(fields[3]) == self.process.pid and fields[0] != "Z"]

    def ranks(self):
        """Process ids of the ranks: those of the session that run a tool below a launcher, in the order of their starts."""
        mine = [pid for pid in self.session() if is_tool(pid) and pid != self.process.pid]
        return sorted(mine)

    def rank(self, number):
        """The process id of this rank of an mpirun."""
        word = f"OMPI_COMM_WORLD_RANK={number}".encode()
        for pid in self.ranks():
            with contextlib.suppress(OSError):
                if word in pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                    return pid
        raise AssertionError(f"rank {number} is not running")

    def send(self, number):
        self.process.send_signal(number)

    def wait(self, timeout=60):
        try:
            out, err = self.process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            where = [pathlib.Path(f"/proc/{pid}/comm").read_text().strip() for pid in self.session()]
            raise AssertionError(f"no end after {timeout} s; still running: {where}") from None
        return Done(self.process.returncode, out or "", err or "", time.monotonic() - self.started)


def processes():
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                yield int(entry.name), (entry / "stat").read_text().rsplit(")", 1)[1].split()


def is_tool(pid):
    with contextlib.suppress(OSError):
        return pathlib.Path(os.readlink(f"/proc/{pid}/exe").removesuffix(" (deleted)")).parent == BIN
    return False


def run(command, *, timeout=60, **more):
    with Running(command, **more) as running:
        return running.wait(timeout)


def bench(*arguments, **more):
    """all_reduce_bench started by hand."""
    return run([BENCH, *arguments], **more)


def mpi_bench(ranks, *arguments, **more):
    """all_reduce_bench under mpirun."""
    return run([*MPIRUN, "-np", ranks, BENCH, *arguments], **more)


def run_on_terminal(command, *, timeout=60, env=None):
    """The exit status and all that a person at a terminal would have received."""
    pid, master = pty.fork()
    if pid == 0:
        with contextlib.suppress(OSError):
            os.execvpe(str(command[0]), [str(word) for word in command], env or environment(TERM="xterm"))
        os._exit(127)
    received = b""
    deadline = time.monotonic() + timeout
    with contextlib.suppress(OSError):  # EIO: nobody holds the other end any more
        while chunk := os.read(master, 65536):
            received += chunk
            if time.monotonic() > deadline:
                os.kill(pid, signal.SIGKILL)
    os.close(master)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), received.decode(errors="backslashreplace")


def refuse(text):
    raise ValueError(f"not in a strict JSON document: {text}")


def unique_keys(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        refuse(f"a repeated key among {keys}")
    return dict(pairs)


def strict_json(text):
    """One JSON document without NaN, infinities or repeated keys."""
    return json.loads(text, parse_constant=refuse, object_pairs_hook=unique_keys)


def read_json(path):
    return strict_json(pathlib.Path(path).read_text(encoding="utf-8"))


def rows_in(path):
    """How many rows a result file holds; 0 while it is absent. A torn document is an error."""
    return len(read_json(path)["results"]) if os.path.exists(path) and os.path.getsize(path) else 0


def wait_until(condition, what, timeout=30):
    deadline = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"after {timeout} s: still not {what}")
        time.sleep(0.02)


class ToolTest(unittest.TestCase):
    """A test with a directory of its own."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.dir = pathlib.Path(directory.name)

    def assert_status(self, done, status):
        self.assertEqual(done.status, status, done)

    def assert_usage_error(self, done, *words):
        """Exit 2, nothing on stdout, and a short message with these words on stderr."""
        self.assert_status(done, 2)
        self.assertEqual(done.out, "", done)
        for word in words:
            self.assertIn(word, done.err, done)
        self.assertNotIn("terminate called", done.err)


needs_mpi = unittest.skipUnless(HAS_MPI, "needs mpirun and the MPI module")
needs_root = unittest.skipUnless(os.geteuid() == 0, "needs root")


def main():
    """Runs the tests of the calling file; 77 when all of them were skipped."""
    if not BENCH.exists():
        sys.exit(f"{BENCH} is not there; set SHAKEDOWN_BIN to the folder of the built tools")
    result = unittest.main(module="__main__", exit=False, verbosity=2).result
    if result.testsRun and len(result.skipped) == result.testsRun:
        sys.exit(77)
    sys.exit(0 if result.wasSuccessful() else 1)
