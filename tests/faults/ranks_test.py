# SPDX-License-Identifier: Apache-2.0
"""A rank that dies or hangs ends the run soon, with a name and a status; what was measured stays."""

import os
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import tool  # noqa: E402

SOME_ROWS = 3
TIMEOUT = 3  # seconds of silence that these runs allow


@tool.needs_mpi
class RankFaults(tool.ToolTest):
    def start(self, ranks, *arguments, launcher=None):
        self.json = self.dir / "o.json"
        self.json.unlink(missing_ok=True)
        command = launcher or [*tool.MPIRUN, "-np", ranks]
        running = tool.Running([*command, tool.BENCH, *tool.LONG, "--json", self.json, "--timeout", TIMEOUT, *arguments])
        self.addCleanup(running.__exit__)
        tool.wait_until(lambda: tool.rows_in(self.json) >= SOME_ROWS or running.process.poll() is not None, f"{SOME_ROWS} rows in the file")
        return running

    def assert_kept(self):
        document = tool.read_json(self.json)
        self.assertIs(document["complete"], False)
        self.assertGreaterEqual(len(document["results"]), SOME_ROWS)
        return document

    def assert_nothing_left(self, running):
        tool.wait_until(lambda: running.session() == [], "rid of all processes", 5)

    def test_killed(self):
        for number in (signal.SIGKILL, signal.SIGSEGV):
            for rank in (0, 2):
                with self.subTest(number=number.name, rank=rank):
                    running = self.start(4)
                    os.kill(running.rank(rank), number)
                    done = running.wait(15)
                    self.assertNotEqual(done.status, 0, done)
                    self.assert_kept()
                    self.assert_nothing_left(running)

    def test_killed_below_a_tool_that_started_its_ranks(self):
        running = self.start(None, "--ranks", "2", launcher=["env"])
        os.kill(running.rank(1), signal.SIGKILL)
        done = running.wait(15)
        self.assert_status(done, 1)
        self.assert_kept()
        self.assert_nothing_left(running)

    def test_launcher_killed(self):
        running = self.start(2)
        running.send(signal.SIGKILL)
        running.wait(15)
        self.assert_nothing_left(running)
        self.assert_kept()

    def test_stopped(self):
        """The watchdog works while the main thread is inside MPI, and names the rank that did not answer."""
        for rank in (1, 0):
            with self.subTest(rank=rank):
                running = self.start(2)
                os.kill(running.rank(rank), signal.SIGSTOP)
                stopped = time.monotonic()
                done = running.wait(60)
                waited = time.monotonic() - stopped
                self.assert_status(done, 5)
                self.assertGreater(waited, TIMEOUT - 1)
                self.assertRegex(done.err, rf"rank {rank}\b")
                self.assertNotIn("is gone", done.err, "the rank that was stopped accused those that left because of it")
                self.assert_kept()
                self.assert_nothing_left(running)

    def test_stopped_below_a_tool_that_started_its_ranks(self):
        running = self.start(None, "--ranks", "2", launcher=["env"])
        os.kill(running.rank(1), signal.SIGSTOP)
        done = running.wait(60)
        self.assert_status(done, 5)
        self.assertRegex(done.err, r"rank 1\b")
        self.assert_nothing_left(running)

    def test_a_pause_shorter_than_the_timeout_is_no_fault(self):
        running = self.start(2)
        rank = running.rank(1)
        rows = tool.rows_in(self.json)
        os.kill(rank, signal.SIGSTOP)
        time.sleep(TIMEOUT / 3)
        os.kill(rank, signal.SIGCONT)
        tool.wait_until(lambda: tool.rows_in(self.json) > rows + SOME_ROWS or running.process.poll() is not None, "going on")
        self.assertIsNone(running.process.poll(), "the run ended")

    def test_a_rank_that_never_starts_the_tool(self):
        done = tool.run([*tool.MPIRUN, "-np", "1", tool.BENCH, *tool.SHORT, "--timeout", TIMEOUT, ":", "-np", "1", "sleep", "30"], timeout=28)
        self.assert_status(done, 5)
        self.assertNotIn("erdict: pass", done.out)

    def test_one_rank_with_another_option_is_no_result(self):
        done = tool.run([*tool.MPIRUN, "-np", "1", tool.BENCH, *tool.SHORT, ":", "-np", "1", tool.BENCH, *tool.SHORT, "-n", "x"], timeout=28)
        self.assert_status(done, 2)
        self.assertNotIn("erdict: pass", done.out)


class HungDriver(tool.ToolTest):
    """A vendor's library that never comes back from being opened."""

    def setUp(self):
        super().setUp()
        if not (tool.BIN.parent / "lib/shakedown/libshakedown_cuda.so").exists():
            self.skipTest("this build has no GPU module")
        source = self.dir / "hang.c"
        source.write_text("#include <unistd.h>\n__attribute__((constructor)) static void hang(void) { for (;;) pause(); }\n", encoding="utf-8")
        if tool.run(["gcc", "-shared", "-fPIC", "-o", self.dir / "libcuda.so.1", source]).status != 0:
            self.skipTest("no C compiler")
        self.env = tool.environment(LD_LIBRARY_PATH=str(self.dir))

    def test_the_deadline_ends_it(self):
        done = tool.run([tool.BENCH, "-b", "1K", "-e", "2K", "--ranks", "1", "--timeout", "1"], env=self.env, timeout=20)
        self.assert_status(done, 5)
        self.assertIn("opening the device", done.err)

    def test_a_signal_ends_it(self):
        for arguments in (["--ranks", "1"], ["--dry-run"], ["--ranks", "2"]):
            with self.subTest(arguments=arguments), tool.Running([tool.BENCH, "-b", "1K", "-e", "2K", *arguments], env=self.env) as running:
                time.sleep(1)
                running.process.send_signal(signal.SIGTERM)
                self.assert_status(running.wait(5), 143)


@tool.needs_mpi
class Announced(tool.ToolTest):
    def test_launcher_says_two_and_the_world_is_one(self):
        done = tool.bench(*tool.SHORT, env=tool.environment(OMPI_COMM_WORLD_SIZE="2", OMPI_COMM_WORLD_RANK="0"))
        self.assert_usage_error(done, "2", "1")

    def test_stale_rank_of_a_world_of_one(self):
        done = tool.bench(*tool.SHORT, env=tool.environment(OMPI_COMM_WORLD_SIZE="1", OMPI_COMM_WORLD_RANK="1"))
        self.assert_usage_error(done, "OMPI_COMM_WORLD_RANK=1", "stale")

    def test_torchrun_says_it_in_every_process(self):
        done = tool.bench(*tool.SHORT, env=tool.environment(WORLD_SIZE="2", RANK="1", LOCAL_RANK="1"))
        self.assert_usage_error(done, "WORLD_SIZE", "mpirun")

    def test_torchrun(self):
        done = tool.bench(*tool.SHORT, env=tool.environment(WORLD_SIZE="2", RANK="0", LOCAL_RANK="0"))
        self.assert_usage_error(done, "WORLD_SIZE", "mpirun")

    def test_text_in_a_variable_that_decides(self):
        done = tool.bench(*tool.SHORT, env=tool.environment(OMPI_COMM_WORLD_SIZE="two"))
        self.assert_usage_error(done, "OMPI_COMM_WORLD_SIZE", "two")

    def test_stale_local_ranks(self):
        done = tool.mpi_bench(2, *tool.SHORT, "--json", "-", env=tool.environment(LOCAL_RANK="0", SLURM_LOCALID="0", SLURM_PROCID="0"))
        self.assert_status(done, 0)
        self.assertEqual([entry["local_rank"] for entry in tool.strict_json(done.out)["context"]["ranks"]], [0, 1])


if __name__ == "__main__":
    tool.main()
