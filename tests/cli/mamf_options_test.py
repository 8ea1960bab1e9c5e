# SPDX-License-Identifier: Apache-2.0
"""What mamf_finder's command line accepts, and how it refuses the rest: before anything is measured, with nothing on stdout."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import mamf  # noqa: E402
import tool  # noqa: E402


class Help(tool.ToolTest):
    def test_help_is_the_result(self):
        done = mamf.mamf("--help")
        self.assert_status(done, 0)
        self.assertEqual(done.err, "")
        for option in ("--dtype", "--m-range", "--json", "--backend", "--timeout", "--dry-run", "--quiet", "--notes", "--output-file", "--resume"):
            self.assertIn(option, done.out)
        for word in ("2*M*N*K", "0 start means step", "stop is excluded"):
            self.assertIn(word, done.out)
        self.assertTrue(done.out.rstrip().splitlines()[-1].lstrip().startswith(("mamf_finder", "srun", "mpirun")), "ends with an example")

    def test_what_launchers_of_torch_pass_is_ignored(self):
        self.assert_status(mamf.mamf("--local_rank", "0", "--backend", "cpu", "--dtype", "float32", "--dry-run"), 0)

    def test_version(self):
        done = mamf.mamf("--version")
        self.assert_status(done, 0)
        self.assertRegex(done.out, r"^mamf_finder \(Shakedown\) \d+\.\d+\.\d+\n$")

    def test_examples_of_the_help_parse(self):
        lines = mamf.mamf("--help").out.split("Examples:")[1].splitlines()
        commands = [line.split("  ")[1].split("mamf_finder")[1].split() for line in lines if line.startswith("  mamf_finder")]
        self.assertGreater(len(commands), 3)
        for arguments in commands:
            done = mamf.mamf(*arguments, "--backend", "cpu", "--dry-run", cwd=self.dir)
            self.assertNotIn("is not an option", done.err)
            # 4: the CPU has no such type
            self.assertIn(done.status, (0, 4), done)


class Refusals(tool.ToolTest):
    def refused(self, *arguments, words=()):
        with self.subTest(arguments=arguments):
            self.assert_usage_error(mamf.mamf("--backend", "cpu", *arguments, timeout=20), *words)

    def test_unknown_words(self):
        self.refused("--dtpye", "bf16", words=["--dtpye", "--dtype"])
        self.refused("surplus", words=["surplus"])
        self.refused("--dtype", "nn", words=["'nn'", "bfloat16", "float8_e4m3fn", "int8"])
        self.refused("--dtype", "float8_e4m3fnuz", words=["float8_e4m3fnuz"])
        self.assert_usage_error(mamf.mamf("--backend", "tpu"), "tpu", "auto", "cuda", "cpu")

    def test_ranges(self):
        rest = ("--n", "64", "--k", "64")
        self.refused("--m-range", "0", "64", "0", *rest, words=["--m-range", "step"])
        self.refused("--m-range", "64", "8", "8", *rest, words=["--m-range", "excluded"])
        self.refused("--m-range", "64", *rest, words=["start stop step"])
        self.refused("--m", "-256", *rest, words=["-256"])
        self.refused("--m", *rest, words=["--m"])
        self.refused("--m", "64", words=["--n", "--k"])

    def test_contradictions(self):
        self.refused("--dtype", "bf16", "--accumulation", "fast", words=["fast", "float8"])
        self.refused("--device", "0", "--device", "0", words=["--device"])
        self.refused("--exhaustive", "--budget", "3", words=["--budget"])
        self.refused("--dry-run", "--json", "-", words=["--dry-run"])
        self.refused("--min-tflops", "3,sustained", "--protocol", "burst", words=["sustained"])

    def test_a_grid_that_no_run_holds(self):
        self.refused("--m-range", "0", "20480", "8", "--n-range", "0", "20480", "8", "--k-range", "0", "20480", "8", words=["shapes", "1000000"])

    def test_files(self):
        (self.dir / "shapes").write_text("64 64 64\n64 x 64\n", encoding="utf-8")
        (self.dir / "other").write_text('{"schema_version": 1, "tool": "all_reduce_bench", "results": []}', encoding="utf-8")
        self.refused("--shapes", self.dir / "absent", words=["absent", "No such file"])
        self.refused("--shapes", self.dir / "shapes", words=["line 2", "'x'"])
        self.refused("--model", "hidden=64,layers=2", words=["heads", "ffn", "seq", "vocab"])
        self.refused("--model", "hidden=64,width=2", words=["'width'"])
        self.refused("--exhaustive", "--resume", self.dir / "other", words=["all_reduce_bench"])
        self.refused("--json", "/no/such/folder/o.json", words=["/no/such/folder"])

    def test_a_device_that_is_not_there(self):
        done = mamf.mamf("--backend", "cpu", "--device", "1")
        self.assert_status(done, 4)
        self.assertIn("the CPU is one device", done.err)


@tool.unittest.skipUnless(mamf.has_cpu_engine(), "needs the oneDNN module")
class DryRun(tool.ToolTest):
    def plan(self, *arguments):
        done = mamf.mamf(*mamf.CPU, "--dry-run", *arguments)
        self.assert_status(done, 0)
        return done.out

    def test_a_search(self):
        out = self.plan("--budget", "30")
        self.assertIn("a search of 30 s", out)
        self.assertIn("float32", out)

    def test_the_scripts_spellings(self):
        ours = self.plan("--m-range", "0", "256", "64", "--n", "64", "128", "--k", "64", "--num-iterations", "7")
        scripts = self.plan("--m_range", "0", "256", "64", "--n", "64", "128", "--k", "64", "--num_iterations=7", "--verbose", "--cuda_device", "0")
        self.assertEqual(ours, scripts)
        self.assertEqual(ours.splitlines()[:2], ["64x64x64", "64x128x64"])
        self.assertIn("6 shapes", ours)

    def test_duplicates_are_measured_once(self):
        self.assertIn("1 shape ", self.plan("--m", "64,64", "--n", "64", "--k", "64"))

    def test_days_are_told(self):
        self.assertIn("days", self.plan("--m-range", "0", "20480", "256", "--n-range", "0", "20480", "256", "--k-range", "0", "20480", "256"))

    def test_a_model(self):
        out = self.plan("--model", "hidden=256,layers=2,heads=4,ffn=512,seq=128,vocab=512")
        self.assertIn("products", out)
        self.assertGreater(len(out.splitlines()), 9)

    def test_it_writes_no_file(self):
        self.plan("--json", self.dir / "o.json", "--output-file", self.dir / "o.txt")
        self.assertEqual(list(self.dir.iterdir()), [])


if __name__ == "__main__":
    tool.main()
