# SPDX-License-Identifier: Apache-2.0
"""A stopped run leaves what it has measured, quickly, with a status that says which signal."""

import os
import pathlib
import re
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import tool  # noqa: E402

SIGNALS = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}
SOME_ROWS = 3


class Stopped(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.json = self.dir / "o.json"

    def started(self, *command):
        running = tool.Running([*command, tool.BENCH, *tool.LONG, "--json", self.json])
        self.addCleanup(running.__exit__)
        tool.wait_until(lambda: tool.rows_in(self.json) >= SOME_ROWS or running.process.poll() is not None, f"{SOME_ROWS} rows in the file")
        return running

    def by_hand(self, ranks):
        running = tool.Running([tool.BENCH, *tool.LONG, "--ranks", ranks, "--json", self.json])
        self.addCleanup(running.__exit__)
        tool.wait_until(lambda: tool.rows_in(self.json) >= SOME_ROWS or running.process.poll() is not None, f"{SOME_ROWS} rows in the file")
        return running

    def assert_partial(self, done):
        document = tool.read_json(self.json)
        self.assertIs(document["complete"], False)
        self.assertGreaterEqual(len([row for row in document["results"] if row["status"] == "ok"]), SOME_ROWS)
        self.assertGreaterEqual(len(re.findall(r"(?m)^\W*\d+ KiB\b", done.out)), SOME_ROWS, "the rows so far are on stdout")
        self.assertEqual(done.out.count("erdict:"), 1, done)

    def test_one_rank(self):
        for number, status in SIGNALS.items():
            with self.subTest(number=number.name):
                self.json.unlink(missing_ok=True)
                running = self.by_hand(1)
                sent = time.monotonic()
                running.send(number)
                done = running.wait(10)
                self.assertLess(time.monotonic() - sent, 2, "0.9 s are promised")
                self.assert_status(done, status)
                self.assert_partial(done)

    @tool.needs_mpi
    def test_a_tool_that_started_its_ranks(self):
        for number, status in SIGNALS.items():
            with self.subTest(number=number.name):
                self.json.unlink(missing_ok=True)
                running = self.by_hand(2)
                running.send(number)
                done = running.wait(15)
                self.assert_status(done, status)
                self.assert_partial(done)
                tool.wait_until(lambda: running.session() == [], "rid of all processes", 5)

    @tool.needs_mpi
    def test_control_c_reaches_the_whole_group(self):
        running = self.by_hand(2)
        os.killpg(running.process.pid, signal.SIGINT)
        done = running.wait(15)
        self.assert_status(done, 130)
        self.assert_partial(done)

    @tool.needs_mpi
    def test_twice(self):
        running = self.by_hand(2)
        running.send(signal.SIGINT)
        time.sleep(0.3)
        if running.process.poll() is None:
            running.send(signal.SIGINT)
        done = running.wait(15)
        self.assert_status(done, 130)
        self.assert_partial(done)

    @tool.needs_mpi
    def test_mpirun(self):
        for number in SIGNALS:
            with self.subTest(number=number.name):
                self.json.unlink(missing_ok=True)
                running = self.started(*tool.MPIRUN, "-np", "2")
                running.send(number)
                done = running.wait(15)
                self.assertNotEqual(done.status, 0, "mpirun's own status")
                self.assert_partial(done)

    @tool.needs_mpi
    def test_one_rank_alone(self):
        for rank in (0, 1):
            with self.subTest(rank=rank):
                self.json.unlink(missing_ok=True)
                running = self.started(*tool.MPIRUN, "-np", "2")
                os.kill(running.rank(rank), signal.SIGTERM)
                done = running.wait(15)
                self.assert_status(done, 143)
                self.assert_partial(done)

    def test_before_the_first_row(self):
        running = tool.Running([tool.BENCH, "--backend", "cpu", "--ranks", "1", "-b", "64M", "-e", "64M", "-n", "100000", "--json", self.json])
        self.addCleanup(running.__exit__)
        tool.wait_until(self.json.exists, "started")
        time.sleep(0.2)
        running.send(signal.SIGINT)
        done = running.wait(10)
        self.assert_status(done, 130)
        document = tool.read_json(self.json)
        self.assertIs(document["complete"], False)
        self.assertEqual([row for row in document["results"] if row["status"] == "ok"], [])
        self.assertNotIn("nan", done.out.lower())

    def test_hangup_that_is_ignored(self):
        done = tool.run(["bash", "-c", 'trap "" HUP; "$@" & sleep 0.3; kill -HUP $!; wait $!', "-",
                         tool.BENCH, "--backend", "cpu", "--ranks", "1", "-b", "1M", "-e", "1M", "-n", "1000"])
        self.assert_status(done, 0)


if __name__ == "__main__":
    tool.main()
