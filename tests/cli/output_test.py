# SPDX-License-Identifier: Apache-2.0
"""Where results go: stdout is the result, stderr the conversation, files are whole documents or absent."""

import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import tool  # noqa: E402

ROW_KEYS = {"collective", "bytes", "bytes_requested", "count", "dtype", "op", "in_place", "timing", "iterations", "time_s", "per_rank_s",
            "algbw_bytes_per_s", "busbw_bytes_per_s", "checked", "wrong", "straggler", "status", "reason"}
TOP_KEYS = {"schema_version", "tool", "tool_version", "complete", "started_at", "duration_s", "command", "notes", "context", "protocol",
            "results", "summary", "verdict"}
ONE_RANK = [*tool.SHORT, "--ranks", "1"]


class Json(tool.ToolTest):
    def assert_document(self, document, ranks):
        self.assertLessEqual(TOP_KEYS, document.keys())
        self.assertEqual((document["schema_version"], document["tool"], document["complete"]), (1, "all_reduce_bench", True))
        self.assertRegex(document["started_at"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual([entry["rank"] for entry in document["context"]["ranks"]], list(range(ranks)))
        self.assertEqual([row["bytes"] for row in document["results"]], [1024, 2048])
        for row in document["results"]:
            self.assertLessEqual(ROW_KEYS, row.keys())
            self.assertEqual((row["status"], row["checked"], row["wrong"], row["iterations"]), ("ok", True, 0, 2))
            self.assertEqual(len(row["per_rank_s"]), ranks)
            times = row["time_s"]
            self.assertEqual(set(times), {"min", "median", "mean", "max", "p99", "samples"})
            self.assertTrue(0 < times["min"] <= times["median"] <= times["max"], times)
            self.assertIsNone(times["p99"], "fewer than 100 samples have no 99th percentile")
            self.assertAlmostEqual(row["algbw_bytes_per_s"] * times["median"] / row["bytes"], 1, places=6)

    def test_stdout_holds_json_alone(self):
        done = tool.bench(*ONE_RANK, "--json", "-")
        self.assert_status(done, 0)
        document = tool.strict_json(done.out)
        self.assert_document(document, ranks=1)
        for row in document["results"]:
            self.assertIsNone(row["busbw_bytes_per_s"], "one rank has no bus bandwidth")

    @tool.needs_mpi
    def test_two_ranks_by_hand(self):
        done = tool.bench(*tool.SHORT, "--json", "-")
        self.assert_status(done, 0)
        document = tool.strict_json(done.out)
        self.assert_document(document, ranks=2)
        for row in document["results"]:
            self.assertAlmostEqual(row["busbw_bytes_per_s"], row["algbw_bytes_per_s"], delta=1e-6 * row["algbw_bytes_per_s"])
        self.assertEqual(document["verdict"]["status"], "pass")

    def test_one_sample_without_warm_up(self):
        done = tool.bench("--backend", "cpu", "--ranks", "1", "-b", "4", "-e", "8", "-n", "1", "-w", "0", "--json", "-")
        self.assert_status(done, 0)
        for row in tool.strict_json(done.out)["results"]:
            self.assertEqual(row["time_s"]["samples"], 1)
            self.assertIsNone(row["time_s"]["p99"])

    def test_less_than_an_element(self):
        done = tool.bench("--backend", "cpu", "--ranks", "1", "-b", "1", "-e", "4", "--json", "-")
        self.assert_status(done, 0)
        rows = tool.strict_json(done.out)["results"]
        self.assertEqual([(row["bytes_requested"], row["status"]) for row in rows], [(1, "skipped"), (2, "skipped"), (4, "ok")])
        for row in rows[:2]:
            self.assertNotEqual(row["reason"], "")
            self.assertIsNone(row["algbw_bytes_per_s"], "nothing was measured")

    def test_schema(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("needs python3-jsonschema")
        schema = pathlib.Path(__file__).resolve().parents[2] / "docs" / "schema" / "report.schema.json"
        if not schema.exists():
            self.skipTest(f"{schema} is not there")
        done = tool.bench(*ONE_RANK, "--json", "-")
        jsonschema.validate(tool.strict_json(done.out), json.loads(schema.read_text(encoding="utf-8")))

    def test_notes_survive(self):
        notes = 'quotes " and \\ back\nline, ünïcode, \x07 bell'
        done = tool.bench(*ONE_RANK, "--json", "-", "--notes", notes)
        self.assert_status(done, 0)
        self.assertEqual(tool.strict_json(done.out)["notes"], notes)

    def test_notes_that_are_no_text(self):
        done = tool.bench(*ONE_RANK, "--json", "-", b"--notes=\xff\xfe".decode(errors="surrogateescape"))
        self.assert_status(done, 0)
        tool.strict_json(done.out)

    def test_secrets_stay_out(self):
        done = tool.bench(*ONE_RANK, "--json", "-", "--output-file", self.dir / "o.txt",
                          env=tool.environment(NCCL_API_TOKEN="hush-1", SLURM_JWT="hush-2", CUDA_PASSWORD="hush-3", MY_OWN="hush-4", NCCL_DEBUG="WARN"))
        text = done.out + done.err + (self.dir / "o.txt").read_text(encoding="utf-8")
        self.assertNotIn("hush", text)
        self.assertEqual(tool.strict_json(done.out)["context"]["environment"]["NCCL_DEBUG"], "WARN")

    @tool.needs_mpi
    def test_chatter_of_the_library_stays_out(self):
        done = tool.run([*tool.MPIRUN, "--mca", "btl_base_verbose", "100", "-np", "2", tool.BENCH, *tool.SHORT, "--json", "-"])
        self.assert_status(done, 0)
        self.assertIn("btl", done.err, "the chatter was not even there")
        self.assert_document(tool.strict_json(done.out), ranks=2)


class Streams(tool.ToolTest):
    def test_text_is_the_result_and_stderr_the_conversation(self):
        done = tool.bench(*ONE_RANK)
        self.assert_status(done, 0)
        self.assertRegex(done.out, r"(?m)^\W*1 KiB\b")
        self.assertIn("erdict", done.out)
        self.assertNotIn("erdict", done.err)

    def test_quiet(self):
        done = tool.bench(*ONE_RANK, "--quiet")
        self.assert_status(done, 0)
        self.assertEqual(done.err, "")
        self.assertNotEqual(done.out, "")

    def test_says_which_backend_and_why_in_one_line(self):
        done = tool.bench(*ONE_RANK)
        self.assertEqual(len([line for line in done.err.splitlines() if "CPU" in line]), 1, done)

    def test_dry_run_measures_nothing(self):
        done = tool.bench(*ONE_RANK, "--dry-run", "--json", self.dir / "o.json", "--output-file", self.dir / "o.txt")
        self.assert_status(done, 0)
        self.assertIn("2 payloads", done.out)
        self.assertEqual(os.listdir(self.dir), [])

    def test_files_hold_what_stdout_shows(self):
        done = tool.bench(*ONE_RANK, "--json", self.dir / "o.json", "--output-file", self.dir / "o.txt")
        self.assert_status(done, 0)
        self.assertEqual((self.dir / "o.txt").read_text(encoding="utf-8"), done.out)
        self.assertEqual(len(tool.read_json(self.dir / "o.json")["results"]), 2)
        self.assertEqual(sorted(os.listdir(self.dir)), ["o.json", "o.txt"], "temporary files are left")

    def test_full_stdout(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = tool.bench(*ONE_RANK, "--json", self.dir / "o.json", stdout=full)
        self.assert_status(done, 1)
        self.assertIn("stdout", done.err.lower() + " stdout" * ("standard output" in done.err.lower()), done)
        self.assertTrue(tool.read_json(self.dir / "o.json")["complete"])

    @tool.needs_mpi
    def test_full_stdout_of_ranks(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            self.assert_status(tool.bench(*tool.SHORT, stdout=full), 1)

    def test_reader_that_leaves(self):
        for ranks in ("1", "2") if tool.HAS_MPI else ("1",):
            with self.subTest(ranks=ranks):
                done = tool.run(["bash", "-c", 'set -o pipefail; "$@" | true', "-", tool.BENCH, *tool.SHORT, "--ranks", ranks])
                self.assert_status(done, 0)
                done = tool.run(["bash", "-c", 'set -o pipefail; "$@" | true', "-", tool.BENCH, *tool.SHORT, "--ranks", ranks, "--no-check", "--min-busbw", "1e9",
                                 "--require", "min_busbw"])
                self.assert_status(done, 3)
                for word in ("terminate called", "Signal", "Segmentation", "core dumped"):
                    self.assertNotIn(word, done.err)

    def test_one_file_for_two_documents_is_refused(self):
        for text in ("same", "./same"):
            self.assert_usage_error(tool.bench(*ONE_RANK, "--json", "same", "--output-file", text, cwd=self.dir), "one file")
        self.assertFalse((self.dir / "same").exists())

    def test_dev_stdout_is_stdout(self):
        for ranks in ("1", "2") if tool.HAS_MPI else ("1",):
            with self.subTest(ranks=ranks):
                done = tool.bench(*tool.SHORT, "--ranks", ranks, "--quiet", "--json", "/dev/stdout")
                self.assert_status(done, 0)
                self.assertIn('"schema_version": 1', done.out)
                self.assertNotIn("schema_version", done.err)

    def test_closed_stdout_is_an_error(self):
        done = tool.run(["bash", "-c", '"$@" >&-', "-", tool.BENCH, *ONE_RANK])
        self.assert_status(done, 1)
        self.assertIn("stdout", done.err)

    def test_a_reader_that_pauses_ends_nothing(self):
        done = tool.run(["bash", "-c", 'set -o pipefail; "$@" | (sleep 4; cat)', "-", tool.BENCH, "--backend", "cpu", "--ranks", "1", "-b", "4", "-e", "8000",
                         "-i", "4", "-n", "1", "-w", "0", "--timeout", "1"])
        self.assert_status(done, 0)
        self.assertEqual(done.out.count("\n| "), 2002, "two lines of titles and every row")
        self.assertIn("Verdict: pass", done.out)

    @tool.needs_mpi
    def test_chatter_of_any_rank_stays_out_of_stdout(self):
        source = self.dir / "chatter.c"
        source.write_text('#include <stdio.h>\nint MPI_Barrier(void *c) { extern int PMPI_Barrier(void *); printf("NCCL INFO chatter\\n"); fflush(stdout); return PMPI_Barrier(c); }\n',
                          encoding="utf-8")
        shim = self.dir / "chatter.so"
        if tool.run(["gcc", "-shared", "-fPIC", "-o", shim, source]).status != 0:
            self.skipTest("no C compiler")
        done = tool.run([*tool.MPIRUN, "-np", "2", "-x", f"LD_PRELOAD={shim}", tool.BENCH, *tool.SHORT, "--json", "-"])
        self.assert_status(done, 0)
        tool.strict_json(done.out)
        self.assertIn("chatter", done.err)

    def test_many_samples_are_left_out_unless_profiled(self):
        many = ["--backend", "cpu", "--ranks", "1", "-b", "4", "-e", "4", "-n", "1001", "--json", "-"]
        self.assertIsNone(tool.strict_json(tool.bench(*many).out)["results"][0]["samples_s"])
        self.assertEqual(len(tool.strict_json(tool.bench(*many, "--profile-stability").out)["results"][0]["samples_s"]), 1001)

    def test_closed_stdin_and_no_input_taken(self):
        done = tool.run(["bash", "-c", '"$@" --quiet <&- > first; printf "a\\nb\\nc\\n" | while read -r host; do "$@" --quiet > /dev/null; echo "$host"; done', "-",
                         tool.BENCH, *ONE_RANK], cwd=self.dir)
        self.assert_status(done, 0)
        self.assertEqual(done.out.split(), ["a", "b", "c"])
        self.assertIn("erdict", (self.dir / "first").read_text(encoding="utf-8"))

    @tool.needs_mpi
    def test_ranks_take_no_input(self):
        done = tool.run(["bash", "-c", 'printf "a\\nb\\n" | while read -r host; do "$@" --quiet > /dev/null; echo "$host"; done', "-", tool.BENCH, *tool.SHORT])
        self.assertEqual(done.out.split(), ["a", "b"], done)


class Files(tool.ToolTest):
    """A file that cannot be written is told before anything is measured; the sweep would last for hours."""

    def refused(self, path, **more):
        for option in ("--json", "--output-file"):
            with self.subTest(option=option, path=path):
                done = tool.bench(*tool.LONG, "--ranks", "1", option, path, timeout=20, **more)
                self.assert_usage_error(done, str(path))

    def test_no_such_directory(self):
        self.refused(self.dir / "none" / "x.json")

    def test_a_directory(self):
        self.refused(self.dir)

    def test_a_full_device(self):
        self.refused("/dev/full")

    def test_proc(self):
        self.refused("/proc/x")

    @tool.needs_root
    def test_a_directory_of_somebody_else(self):
        if subprocess.run(["setpriv", "--reuid", "1000", "--clear-groups", tool.BENCH, "--version"], capture_output=True, check=False).returncode:
            self.skipTest(f"user 1000 cannot run {tool.BENCH}, or setpriv is missing")
        os.chmod(self.dir, 0o555)
        done = tool.run(["setpriv", "--reuid", "1000", "--clear-groups", tool.BENCH, *tool.LONG, "--ranks", "1", "--json", self.dir / "x.json"], timeout=20)
        self.assert_usage_error(done, "x.json")

    def test_an_old_result_survives_a_refused_run(self):
        (self.dir / "o.json").write_text("old", encoding="utf-8")
        self.assert_usage_error(tool.bench("--json", self.dir / "o.json", "-n", "0"))
        self.assertEqual((self.dir / "o.json").read_text(encoding="utf-8"), "old")

    def test_a_link_is_followed(self):
        (self.dir / "link.json").symlink_to("real.json")
        self.assert_status(tool.bench(*ONE_RANK, "--json", self.dir / "link.json"), 0)
        self.assertTrue((self.dir / "link.json").is_symlink())
        self.assertTrue(tool.read_json(self.dir / "real.json")["complete"])

    def test_a_pipe_gets_one_document(self):
        os.mkfifo(self.dir / "pipe")
        with tool.Running(["cat", self.dir / "pipe"]) as reader:
            self.assert_status(tool.bench(*ONE_RANK, "--json", self.dir / "pipe"), 0)
            self.assertTrue(tool.strict_json(reader.wait(10).out)["complete"])


class Checks(tool.ToolTest):
    def test_a_minimum_that_is_missed(self):
        if not tool.HAS_MPI:
            self.skipTest("needs mpirun and the MPI module")
        done = tool.bench(*tool.SHORT, "--min-busbw", "1e6", "--json", self.dir / "o.json")
        self.assert_status(done, 3)
        document = tool.read_json(self.dir / "o.json")
        self.assertEqual((document["complete"], document["verdict"]["status"]), (True, "fail"))

    def test_an_unknown_that_is_required(self):
        done = tool.bench(*ONE_RANK, "--min-busbw", "1", "--require", "min_busbw")
        self.assert_status(done, 3)

    def test_backend_that_is_not_there(self):
        if list(pathlib.Path("/dev").glob("nvidia[0-9]*")):
            self.skipTest("there is a GPU here")
        done = tool.bench("--backend", "cuda", "-b", "1K", "-e", "1K")
        self.assert_status(done, 4)
        self.assertEqual(done.out, "")


if __name__ == "__main__":
    tool.main()
