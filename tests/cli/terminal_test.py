# SPDX-License-Identifier: Apache-2.0
"""Progress and colour are for a person who watches, and never reach a file or a pipe."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import tool  # noqa: E402

RANKS = "2" if tool.HAS_MPI else "1"
# Long enough for several rows, so that progress has something to show.
SOME = ["--backend", "cpu", "--ranks", RANKS, "-b", "1M", "-e", "16M", "-n", "10"]
ESCAPE = "\x1b"


class Terminal(tool.ToolTest):
    def on_terminal(self, *arguments, **changes):
        status, text = tool.run_on_terminal([tool.BENCH, *SOME, *arguments], env=tool.environment(TERM="xterm", **changes))
        self.assertEqual(status, 0, text)
        return text

    def test_progress_overwrites_its_line(self):
        text = self.on_terminal()
        self.assertRegex(text.replace("\r\n", "\n"), "\r", "no progress for a person who watches")
        self.assertIn("erdict", text)

    def test_quiet_has_no_progress(self):
        self.assertNotIn("\r", self.on_terminal("--quiet").replace("\r\n", "\n"))

    def test_no_color_is_obeyed(self):
        self.assertNotRegex(self.on_terminal(NO_COLOR="1"), ESCAPE + r"\[[0-9;]*m")

    def test_dumb_terminal(self):
        status, text = tool.run_on_terminal([tool.BENCH, *SOME], env=tool.environment(TERM="dumb"))
        self.assertEqual(status, 0, text)
        self.assertNotIn(ESCAPE, text)

    def test_progress_goes_to_stderr(self):
        line = 'exec "$@" 2> ' + str(self.dir / "err")
        status, text = tool.run_on_terminal(["bash", "-c", line, "-", tool.BENCH, *SOME], env=tool.environment(TERM="xterm"))
        self.assertEqual(status, 0, text)
        self.assertNotIn("\r", text.replace("\r\n", "\n"), "stdout got what belongs to stderr")
        self.assertNotRegex((self.dir / "err").read_text(encoding="utf-8"), "[\r\x1b]")


class Logs(tool.ToolTest):
    """A launcher gives each rank a terminal of its own, even when all ends in a file."""

    def assert_clean(self, text):
        self.assertIsNone(re.search("[\r\x1b]", text), repr(text))

    def test_by_hand(self):
        done = tool.bench(*SOME)
        self.assert_status(done, 0)
        self.assert_clean(done.out + done.err)

    @tool.needs_mpi
    def test_many_ranks_in_one_log(self):
        done = tool.mpi_bench(8, "--backend", "cpu", "-b", "1K", "-e", "64K", "-n", "3", stderr=tool.subprocess.STDOUT)
        self.assert_status(done, 0)
        self.assert_clean(done.out)
        self.assertEqual(done.out.count("erdict:"), 1, "more than one rank prints the result")
        rows = re.findall(r"(?m)^\| +\d+ KiB .*$", done.out)
        self.assertEqual(len(rows), 7, done.out)
        self.assertEqual(len({row.count("|") for row in rows}), 1, f"rows are mixed: {done}")

    @tool.needs_mpi
    def test_tagged_output(self):
        done = tool.run([*tool.MPIRUN, "--tag-output", "-np", "2", tool.BENCH, *tool.SHORT])
        self.assert_status(done, 0)
        self.assert_clean(done.out)
        for line in done.out.splitlines():
            self.assertRegex(line, r"^\[1,0\]<stdout>:", "only rank 0 prints results")

    @tool.needs_mpi
    def test_in_the_background_without_streams(self):
        done = tool.run(["bash", "-c", 'setsid --wait "$@" <&- > log 2>&1', "-", *tool.MPIRUN, "-np", "2", tool.BENCH, *tool.SHORT], cwd=self.dir)
        self.assert_status(done, 0)
        self.assertIn("erdict", (self.dir / "log").read_text(encoding="utf-8"))


if __name__ == "__main__":
    tool.main()
