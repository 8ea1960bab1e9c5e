# SPDX-License-Identifier: Apache-2.0
"""mamf_finder measuring the CPU: what it writes where, and how it ends."""

import json
import os
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import mamf  # noqa: E402
import tool  # noqa: E402

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "docs" / "schema" / "mamf_finder.schema.json"
ROW_KEYS = {"m", "n", "k", "dtype", "device", "mode", "time_s", "tflops", "algorithm", "sm_clock_mhz", "power_w", "temperature_c", "throttle",
            "verified", "status", "reason"}
needs_engine = tool.unittest.skipUnless(mamf.has_cpu_engine(), "needs the oneDNN module")


class MamfTest(tool.ToolTest):
    def assert_schema(self, document):
        try:
            import jsonschema
        except ImportError:
            return
        jsonschema.validate(document, json.loads(SCHEMA.read_text(encoding="utf-8")))

    def json_of(self, *arguments, status=0, **more):
        done = mamf.mamf(*arguments, "--json", "-", **more)
        self.assert_status(done, status)
        document = tool.strict_json(done.out)
        self.assert_schema(document)
        return document


@needs_engine
class Search(MamfTest):
    def test_a_default_search_with_a_tiny_budget(self):
        document = self.json_of("--backend", "cpu", "--budget", "1", timeout=120)
        self.assertEqual((document["tool"], document["complete"]), ("mamf_finder", True))
        self.assertEqual(document["protocol"]["task"], "search")
        (best,) = document["best"]
        self.assertIsNone(best["device"], "the CPU is no device")
        for mode in ("burst", "sustained"):
            result = best[mode]
            self.assertEqual((result["mode"], result["status"], result["verified"]), (mode, "ok", True))
            self.assertGreater(result["tflops"]["median"], 0)
            self.assertAlmostEqual(result["tflops"]["median"] * result["time_s"]["median"] * 1e12 / (2 * result["m"] * result["n"] * result["k"]), 1, places=6)
        self.assertIsNone(best["mamf_v2"])


@needs_engine
class Shapes(MamfTest):
    def test_each_shape_is_a_row_and_the_best_is_sustained(self):
        document = self.json_of(*mamf.CPU, "--m", "64", "128", "--n", "64", "--k", "64", timeout=120)
        rows = document["results"]
        self.assertEqual([(row["m"], row["mode"]) for row in rows[:2]], [(64, "burst"), (128, "burst")])
        self.assertEqual([row["mode"] for row in rows[2:]], ["sustained"])
        for row in rows:
            self.assertLessEqual(ROW_KEYS, row.keys())
        medians = {row["m"]: row["tflops"]["median"] for row in rows[:2]}
        self.assertEqual(document["best"][0]["burst"]["m"], max(medians, key=medians.get))

    def test_the_books_protocol(self):
        document = self.json_of(*mamf.CPU, "--m", "64", "--n", "64", "--k", "64", "--protocol", "mamf-v2", "--num-iterations", "3", "--num-warmup-iterations", "1")
        (row,) = document["results"]
        self.assertEqual((row["mode"], row["time_s"]["samples"]), ("mamf-v2", 3))
        self.assertIsNotNone(document["best"][0]["mamf_v2"])

    def test_a_shape_that_does_not_fit_is_skipped_and_the_sweep_goes_on(self):
        document = self.json_of(*mamf.SHORT[:4], "--m", "64", "1000000000", "--n", "64", "1000000000", "--k", "64", "--protocol", "burst", "--num-iterations", "1")
        found = {(row["m"], row["n"]): row for row in document["results"]}
        self.assertEqual(len(found), 4)
        self.assertEqual(found[64, 64]["status"], "ok")
        self.assertEqual(found[10**9, 10**9]["status"], "skipped")
        self.assertNotEqual(found[10**9, 10**9]["reason"], "")
        self.assertIsNone(found[10**9, 10**9]["tflops"] and found[10**9, 10**9]["tflops"]["median"], "nothing was measured")
        self.assertEqual(document["verdict"]["status"], "warn")

    def test_resume_takes_over_what_is_there(self):
        arguments = [*mamf.CPU, "--n", "64", "--k", "64", "--protocol", "burst", "--num-iterations", "1"]
        first = self.json_of(*arguments, "--m", "64")
        (self.dir / "first.json").write_text(json.dumps(first), encoding="utf-8")
        second = self.json_of(*arguments, "--m", "64", "128", "--resume", self.dir / "first.json")
        self.assertEqual([row["m"] for row in second["results"]], [64, 128])
        self.assertEqual(second["results"][0]["tflops"], first["results"][0]["tflops"], "measured again")

    def test_resume_refuses_what_was_measured_with_other_data(self):
        zeros = self.json_of(*mamf.SHORT, "--init", "zeros")
        (self.dir / "zeros.json").write_text(json.dumps(zeros), encoding="utf-8")
        done = mamf.mamf(*mamf.SHORT, "--resume", self.dir / "zeros.json")
        self.assert_usage_error(done, "zeros data and seed 42")

    def test_variables_of_openmp_do_not_hide_cores(self):
        units = [self.json_of(*mamf.SHORT, env={**os.environ, **more})["best"][0]["peak"]["units"]
                 for more in ({}, {"OMP_PROC_BIND": "true"}, {"OMP_PLACES": "cores"})]
        self.assertEqual(len(set(units)), 1, units)

    def test_a_limit_of_openmps_threads_is_no_wrong_product(self):
        document = self.json_of(*mamf.SHORT, env={**os.environ, "OMP_THREAD_LIMIT": "1"})
        self.assertEqual((document["best"][0]["peak"]["units"], document["results"][0]["verified"]), (1, True))

    def test_a_file_of_shapes_is_one_figure(self):
        (self.dir / "shapes").write_text("64 64 64 2 small\n128 64 64 1 larger\n", encoding="utf-8")
        document = self.json_of(*mamf.CPU, "--shapes", self.dir / "shapes", timeout=120)
        entries = document["suite"]["entries"]
        self.assertEqual([(entry["name"], entry["count"]) for entry in entries], [("small", 2), ("larger", 1)])
        operations = 2 * 64 * 64 * (2 * 64 + 128)
        self.assertEqual(document["suite"]["operations"], operations)
        seconds = sum(entry["count"] * document["results"][entry["result"]]["time_s"]["mean"] for entry in entries)
        self.assertAlmostEqual(document["suite"]["harmonic_mean_tflops"] * seconds * 1e12 / operations, 1, places=6)


@needs_engine
class Verdict(MamfTest):
    def test_a_bar_that_is_missed(self):
        self.assertEqual(self.json_of(*mamf.SHORT, "--min-tflops", "1e6", status=3)["verdict"]["status"], "fail")
        self.assertEqual(self.json_of(*mamf.SHORT, "--min-tflops", "0")["verdict"]["status"] in ("pass", "warn"), True)

    def test_an_unsupported_type_alone_is_unavailable(self):
        done = mamf.mamf("--backend", "cpu", "--dtype", "fp8")
        self.assert_status(done, 4)
        self.assertEqual(done.out, "")
        self.assertIn("float8_e4m3fn", done.err)

    def test_an_unsupported_type_among_others_is_a_skipped_row(self):
        document = self.json_of("--backend", "cpu", "--dtype", "fp8,fp32", *mamf.SHORT[4:])
        skipped = [row for row in document["results"] if row["status"] == "skipped"]
        self.assertEqual([(row["dtype"], row["m"]) for row in skipped], [("float8_e4m3fn", None)])
        self.assertIn("float8_e4m3fn", skipped[0]["reason"])
        self.assertIn("float32", [row["dtype"] for row in document["results"] if row["status"] == "ok"])

    def test_no_gpu(self):
        done = mamf.mamf("--backend", "cuda", env=tool.environment(CUDA_VISIBLE_DEVICES=""))
        self.assert_status(done, 4)
        self.assertIn("--backend cuda", done.err)


@needs_engine
class Streams(MamfTest):
    def test_text_is_the_result_and_stderr_the_conversation(self):
        done = mamf.mamf(*mamf.SHORT)
        self.assert_status(done, 0)
        self.assertIn("64x64x64", done.out)
        self.assertIn("erdict", done.out)
        lines = done.err.splitlines()
        self.assertEqual(len(lines), 1, done)
        for word in ("float32", "CPU", "--backend cpu"):
            self.assertIn(word, lines[0])

    def test_quiet(self):
        done = mamf.mamf(*mamf.SHORT, "--quiet")
        self.assertEqual((done.status, done.err), (0, ""))
        self.assertNotEqual(done.out, "")

    def test_files_hold_what_stdout_shows(self):
        done = mamf.mamf(*mamf.SHORT, "--json", self.dir / "o.json", "--output-file", self.dir / "o.txt", "--notes", "a_b ünï")
        self.assert_status(done, 0)
        self.assertEqual((self.dir / "o.txt").read_text(encoding="utf-8"), done.out)
        document = tool.read_json(self.dir / "o.json")
        self.assertEqual((document["notes"], document["complete"]), ("a_b ünï", True))
        self.assertEqual(sorted(os.listdir(self.dir)), ["o.json", "o.txt"], "temporary files are left")

    def test_stdout_holds_json_alone(self):
        self.assert_usage_error(mamf.mamf(*mamf.SHORT, "--json", "-", "--output-file", "/dev/stdout"), "/dev/stdout")

    def test_full_stdout(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = mamf.mamf(*mamf.SHORT, "--json", self.dir / "o.json", stdout=full)
        self.assert_status(done, 1)
        self.assertTrue(tool.read_json(self.dir / "o.json")["complete"])

    def test_a_result_file_that_is_full(self):
        done = mamf.mamf(*mamf.SHORT, "--json", "/dev/full")
        self.assert_usage_error(done, "/dev/full")


@needs_engine
class Stopped(MamfTest):
    def test_a_signal_leaves_the_best_so_far(self):
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            with self.subTest(number=number.name):
                path = self.dir / "o.json"
                path.unlink(missing_ok=True)
                with tool.Running([mamf.MAMF, *mamf.LONG, "--json", path]) as running:
                    tool.wait_until(lambda: tool.rows_in(path) > 0 or running.process.poll() is not None, "a row in the file")
                    sent = time.monotonic()
                    running.send(number)
                    done = running.wait(10)
                self.assertLess(time.monotonic() - sent, 2, "0.9 s are promised")
                self.assert_status(done, status)
                document = tool.read_json(path)
                self.assert_schema(document)
                self.assertIs(document["complete"], False)
                self.assertIn(number.name, document["ended_early"])
                self.assertIsNotNone(document["best"][0]["burst"])
                self.assertEqual(done.out.count("erdict:"), 1, done)


@needs_engine
class Ranks(MamfTest):
    @tool.needs_mpi
    def test_each_rank_measures_and_rank_0_reports(self):
        done = tool.run([*tool.MPIRUN, "-np", "2", mamf.MAMF, *mamf.SHORT, "--json", self.dir / "o.json"], timeout=120)
        self.assert_status(done, 0)
        document = tool.read_json(self.dir / "o.json")
        self.assert_schema(document)
        self.assertEqual([entry["rank"] for entry in document["context"]["ranks"]], [0, 1])
        (spread,) = document["spreads"]
        self.assertIs(spread["together"], True)
        self.assertEqual([device["rank"] for device in spread["devices"]], [0, 1])
        rates = spread["tflops"]
        self.assertTrue(0 < rates["min"] <= rates["median"] <= rates["max"], rates)
        self.assertEqual(done.out.count("erdict:"), 1, "one rank speaks")

    @tool.needs_mpi
    def test_ranks_with_other_options_follow_rank_0(self):
        done = tool.run([*tool.MPIRUN, "-np", "1", mamf.MAMF, *mamf.SHORT, "--json", self.dir / "o.json", ":",
                         "-np", "1", mamf.MAMF, *mamf.CPU, "--m", "128", "--n", "64", "--k", "64", "--protocol", "burst"], timeout=120)
        self.assert_status(done, 0)
        document = tool.read_json(self.dir / "o.json")
        self.assertEqual({row["m"] for row in document["results"]}, {64})
        self.assertIn("ranks were started with different options", " ".join(document["context"]["notices"]))

    @tool.needs_mpi
    def test_an_error_ends_all_ranks(self):
        done = tool.run([*tool.MPIRUN, "-np", "2", mamf.MAMF, "--backend", "cpu", "--dtype", "fp8"], timeout=60)
        self.assert_status(done, 4)
        self.assertEqual(done.err.count("--dtype: not offered here"), 1, done)


if __name__ == "__main__":
    tool.main()
