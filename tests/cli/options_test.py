# SPDX-License-Identifier: Apache-2.0
"""What the command line accepts, and how it refuses the rest: before anything is measured, with nothing on stdout."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import tool  # noqa: E402


class Help(tool.ToolTest):
    def test_help_is_the_result(self):
        done = tool.bench("--help")
        self.assert_status(done, 0)
        self.assertEqual(done.err, "")
        for option in ("--min-bytes", "--json", "--backend", "--timeout", "--dry-run", "--quiet", "--notes", "--output-file"):
            self.assertIn(option, done.out)
        self.assertLess(done.out.index("--dry-run"), done.out.index("Examples:"))
        self.assertTrue(done.out.rstrip().splitlines()[-1].lstrip().startswith(("all_reduce_bench", "srun", "mpirun")), "ends with an example")

    def test_version(self):
        done = tool.bench("--version")
        self.assert_status(done, 0)
        self.assertRegex(done.out, r"^all_reduce_bench \(Shakedown\) \d+\.\d+\.\d+\n$")

    def test_examples_of_the_help_parse(self):
        lines = tool.bench("--help").out.split("Examples:")[1].splitlines()
        commands = [line.split("  ")[1].split("all_reduce_bench")[1].split() for line in lines if line.startswith("  all_reduce_bench")]
        self.assertGreater(len(commands), 2)
        for arguments in commands:
            if "--hosts" not in arguments:
                done = tool.bench(*arguments, "--dry-run", cwd=self.dir)
                self.assertNotIn("is not an option", done.err)
                # 2: the machine is too small for the example; 4: several ranks without MPI
                self.assertIn(done.status, (0, 2) if tool.HAS_MPI else (0, 2, 4), done)


class Refusals(tool.ToolTest):
    def refused(self, *arguments, words=()):
        with self.subTest(arguments=arguments):
            self.assert_usage_error(tool.bench("--backend", "cpu", *arguments, timeout=20), *words)

    def test_unknown_option_gets_a_hint(self):
        self.refused("--iteratons", "3", words=["--iteratons", "--iterations"])
        self.refused("--frobnicate", words=["--frobnicate"])
        self.refused("surplus", words=["surplus"])

    def test_sizes_that_are_none(self):
        for size in ("1Gfoo", "", "-", "-1", "nan", "inf", "1e400", "0x10", "1,5G", "18446744073709551616", "99999999999G", "٣", "1.3", "G", " "):
            self.refused(f"--max-bytes={size}", words=[size, "--max-bytes"])

    def test_a_size_as_a_separate_word(self):
        self.refused("-e", "1Gfoo", words=["1Gfoo"])
        self.refused("-b", "-1", words=["-1"])

    def test_inverted_range(self):
        self.refused("-b", "8M", "-e", "1M", words=["8", "1"])

    def test_nothing_to_measure(self):
        self.refused("-b", "0", "-e", "1K", words=["0"])

    def test_steps_that_do_not_advance(self):
        for step in (("-i", "0"), ("-f", "1"), ("-f", "0"), ("-f", "-2"), ("-f", "nan"), ("-f", "inf"), ("-f", "x")):
            self.refused("-b", "8", "-e", "8K", *step, words=[step[1]])

    def test_two_kinds_of_step(self):
        self.refused("-i", "1K", "-f", "2", words=["-i", "-f"])

    def test_a_sweep_of_billions(self):
        self.refused("-b", "8", "-e", "1G", "-f", "1.0000001")

    def test_counts(self):
        for count in ("0", "-1", "abc", "1.5", "99999999999999999999", ""):
            self.refused(f"--iterations={count}", words=[count])
        for count in ("-1", "abc", ""):
            self.refused(f"--warmup-iterations={count}", words=[count])
        for count in ("0", "-3", "two"):
            self.refused(f"--ranks={count}", words=[count])

    def test_timeouts(self):
        for seconds in ("-1", "abc", "1e9", "nan", "inf", ""):
            self.refused(f"--timeout={seconds}", words=[seconds, "--timeout"])

    def test_names(self):
        self.refused("--dtype", "float33", words=["float33", "bfloat16"])
        self.refused("--timing", "sometimes", words=["sometimes", "pipelined", "blocking", "graph"])
        self.assert_usage_error(tool.bench("--backend", "tpu"), "tpu", "auto", "cuda", "cpu")
        self.refused("-o", "max", words=["max", "sum"])

    def test_a_repeated_option(self):
        self.refused("-n", "3", "-n", "4", words=["--iterations"])

    def test_stability_needs_one_payload(self):
        self.refused("--profile-stability", words=["--payload-size-in-gib"])
        self.refused("--profile-stability", "-b", "1K", "-e", "2K", words=["--payload-size-in-gib"])

    def test_more_than_the_memory(self):
        self.refused("-b", "64T", "-e", "64T", words=["64 TiB", "free"])

    def test_a_foreign_option_is_refused_by_name_with_ours(self):
        self.refused("-t", "4", words=["-t", "--ranks"])
        self.refused("-R", "1", words=["-R"])


class Accepted(tool.ToolTest):
    def plan(self, *arguments):
        done = tool.bench("--backend", "cpu", "--dry-run", *arguments)
        self.assert_status(done, 0)
        return done.out.splitlines()

    def test_spellings_of_a_size(self):
        for size, shown in (("1G", "1 GiB"), ("1g", "1 GiB"), ("1GiB", "1 GiB"), ("1.5G", "1.5 GiB"), ("1048576", "1 MiB"), ("4KB", "4000 B"), ("64k", "64 KiB")):
            with self.subTest(size=size):
                self.assertEqual(self.plan("-b", size, "-e", size, "--in-place")[0].split("  ")[0], shown)

    def test_underscores(self):
        ours = self.plan("--num-iterations", "7", "--num-warmup-iterations", "3", "--payload-size-in-gib", "0.5")
        originals = self.plan("--num_iterations", "7", "--num_warmup_iterations=3", "--payload_size_in_gib", "0.5", "--local_rank", "0")
        self.assertEqual(ours, originals)
        self.assertIn("3 warm-ups + 7 samples", ours[-1])

    def test_underscores_in_a_value_stay(self):
        notes = "a_b"
        done = tool.bench(*tool.SHORT, "--ranks", "1", "--json", "-", f"--notes={notes}")
        self.assertEqual(tool.strict_json(done.out)["notes"], notes)

    def test_equal_ends_are_one_row(self):
        self.assertEqual(len(self.plan("-b", "1M", "-e", "1M")), 2)

    def test_both_ends_are_measured(self):
        rows = self.plan("-b", "64K", "-e", "70K", "-i", "2K")[:-1]
        self.assertEqual([row.split("  ")[0] for row in rows], ["64 KiB", "66 KiB", "68 KiB", "70 KiB"])

    def test_options_of_nccl_tests(self):
        self.plan("-b", "8", "-e", "8K", "-f", "2", "-g", "1", "-n", "20", "-w", "5", "-c", "1", "-t", "1", "-o", "sum", "-d", "float", "-z", "0", "-a", "3")


if __name__ == "__main__":
    tool.main()
