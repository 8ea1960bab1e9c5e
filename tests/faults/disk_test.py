# SPDX-License-Identifier: Apache-2.0
"""Disks that fill up, limits and clocks: results still come out, and files are whole documents."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import tool  # noqa: E402

ROWS = ["--backend", "cpu", "--ranks", "1", "-b", "4K", "-e", "256K", "-i", "4K", "-n", "2"]


class FullDisks(tool.ToolTest):
    def can_mount(self):
        return os.geteuid() == 0 and subprocess.run(["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", self.dir], capture_output=True, check=False).returncode == 0

    def test_a_disk_that_fills_in_mid_run(self):
        if not self.can_mount():
            self.skipTest("may not mount a small file system")
        script = f'mount -t tmpfs -o size=24k tmpfs {self.dir}; "$@"; echo $? > {self.dir}.status; cp {self.dir}/o.json {self.dir}.json; ls {self.dir} > {self.dir}.ls'
        self.addCleanup(lambda: [pathlib.Path(f"{self.dir}.{end}").unlink(missing_ok=True) for end in ("status", "json", "ls")])
        done = tool.run(["unshare", "--mount", "bash", "-c", script, "-", tool.BENCH, *ROWS, "--json", self.dir / "o.json"])
        self.assertEqual(pathlib.Path(f"{self.dir}.status").read_text().strip(), "1", done)
        self.assertIn("o.json", done.err)
        self.assertRegex(done.out, r"(?m)^\W*256 KiB\b", "the last row is on stdout")
        self.assertIn("erdict", done.out)
        document = tool.read_json(f"{self.dir}.json")
        self.assertIs(document["complete"], False)
        self.assertEqual(pathlib.Path(f"{self.dir}.ls").read_text().split(), ["o.json"], "a temporary file is left")

    def test_a_limit_on_the_size_of_files(self):
        done = tool.run(["bash", "-c", 'ulimit -f 8; exec "$@"', "-", tool.BENCH, *ROWS, "--json", self.dir / "o.json"])
        self.assert_status(done, 1)
        self.assertIn("erdict", done.out)
        self.assertIs(tool.read_json(self.dir / "o.json")["complete"], False)

    def test_an_old_result_survives_until_the_first_row(self):
        old = '{"old": true}\n'
        (self.dir / "o.json").write_text(old, encoding="utf-8")
        done = tool.run(["bash", "-c", 'ulimit -f 1; exec "$@"', "-", tool.BENCH, *ROWS, "--json", self.dir / "o.json"])
        self.assertNotEqual(done.status, 0, done)
        text = (self.dir / "o.json").read_text(encoding="utf-8")
        if text != old:
            tool.strict_json(text)

    def test_killed_at_any_instant(self):
        """A reader that looks as often as it can never sees a torn document, nor after SIGKILL."""
        path = self.dir / "o.json"
        with tool.Running([tool.BENCH, *tool.LONG, "--ranks", "1", "--json", path]) as running:
            tool.wait_until(lambda: tool.rows_in(path) > 20, "20 rows further")
            running.send(signal.SIGKILL)
            running.wait(10)
        document = tool.read_json(path)
        self.assertIs(document["complete"], False)
        self.assertGreater(len(document["results"]), 20)


class LittleMemory(tool.ToolTest):
    def test_an_address_space_that_is_too_small(self):
        done = tool.run(["prlimit", "--as=2000000000", tool.BENCH, "--backend", "cpu", "--ranks", "1", "-b", "4G", "-e", "4G", "-n", "1"])
        self.assertIn(done.status, (1, 2), done)
        self.assertNotIn("terminate called", done.err)
        self.assertIn("4 GiB", done.err)


class Clocks(tool.ToolTest):
    @tool.needs_mpi
    def test_wall_clocks_that_differ(self):
        if not shutil.which("faketime"):
            self.skipTest("needs faketime")
        rank = [tool.BENCH, *tool.SHORT, "--json", "-"]
        done = tool.run([*tool.MPIRUN, "-np", "1", *rank, ":", "-np", "1", "faketime", "-f", "+1h", *rank], env=tool.environment(DONT_FAKE_MONOTONIC="1"))
        self.assert_status(done, 0)
        document = tool.strict_json(done.out)
        self.assertLess(document["duration_s"], 60)
        for row in document["results"]:
            self.assertTrue(0 < row["time_s"]["max"] < 60, row)


if __name__ == "__main__":
    tool.main()
