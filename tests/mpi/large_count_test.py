# SPDX-License-Identifier: Apache-2.0
"""More elements than a C int counts: nothing wraps, and the last element is right."""

import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import tool  # noqa: E402

COUNT = 2**31 + 8
NEEDED_GIB = 12  # two ranks with a send and a receive buffer of 2 GiB each, and room for the rest


def available_gib():
    return int(re.search(r"MemAvailable:\s+(\d+)", pathlib.Path("/proc/meminfo").read_text(encoding="utf-8")).group(1)) / 2**20


class LargeCount(tool.ToolTest):
    @tool.needs_mpi
    @unittest.skipUnless(available_gib() >= NEEDED_GIB, f"needs {NEEDED_GIB} GiB of free memory")
    def test_more_than_two_to_the_31_elements(self):
        done = tool.bench("--backend", "cpu", "--ranks", "2", "-b", COUNT, "-e", COUNT, "-d", "int8", "-n", "1", "-w", "0", "--json", "-", timeout=200)
        self.assert_status(done, 0)
        row = tool.strict_json(done.out)["results"][0]
        self.assertEqual((row["bytes"], row["count"], row["checked"], row["wrong"]), (COUNT, COUNT, True, 0))


if __name__ == "__main__":
    tool.main()
