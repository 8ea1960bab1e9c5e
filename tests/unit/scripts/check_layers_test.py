# SPDX-License-Identifier: Apache-2.0
"""Planted violations are found, and what is allowed is not."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "scripts"))
import check_layers  # noqa: E402  (found by the line above)

SPDX = "// SPDX-License-Identifier: Apache-2.0\n"


def check(files):
    """Exit status and output of the script over a tree of {path: text}."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            file = pathlib.Path(root, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            status = check_layers.main([root])
        return status, output.getvalue()


class CheckLayers(unittest.TestCase):
    def assert_found(self, path, text, words):
        status, output = check({path: text})
        self.assertEqual(status, 1, output)
        self.assertIn(words, output)

    def assert_fine(self, path, text):
        status, output = check({path: text})
        self.assertEqual(status, 0, output)

    def test_upward_include(self):
        self.assert_found("src/math/a.cpp", SPDX + '#include "shakedown/bench/collective_sweep.h"\n', "src/math/a.cpp:2: math must not include bench")

    def test_sibling_include(self):
        self.assert_found("src/report/a.cpp", SPDX + '#include "shakedown/bench/x.h"\n', "report must not include bench")

    def test_private_header_of_a_higher_module(self):
        self.assert_found("src/comm/a.cpp", SPDX + '#include "app/silence.h"\n', "comm must not include app")

    def test_header_above_its_folder(self):
        self.assert_found("src/math/a.cpp", SPDX + '#include "../app/silence.h"\n', "a header above its folder")

    def test_public_header_counts_too(self):
        self.assert_found("include/shakedown/base/a.h", SPDX + '#pragma once\n#  include <shakedown/model/verdict.h>\n', "base must not include model")

    def test_vendor_header_in_a_tool(self):
        self.assert_found("tools/x/main.cpp", SPDX + "#include <mpi.h>\n", "vendor header <mpi.h>")

    def test_vendor_header_in_a_public_header(self):
        self.assert_found("include/shakedown/backends/a.h", SPDX + "#pragma once\n#include <cuda_runtime.h>\n", "in a public header")

    def test_json_library_outside_report(self):
        self.assert_found("src/bench/a.cpp", SPDX + "#include <nlohmann/json.hpp>\n", "report alone")

    def test_option_parser_outside_tools(self):
        self.assert_found("src/app/a.cpp", SPDX + "#include <CLI/CLI.hpp>\n", "tools alone")

    def test_conditional_outside_backends(self):
        self.assert_found("src/bench/a.cpp", SPDX + "#ifdef WITH_CUDA\n#endif\n", "conditional compilation")

    def test_long_file(self):
        self.assert_found("src/bench/a.cpp", SPDX + "\n" * 300, "more than 300 lines")

    def test_missing_licence(self):
        self.assert_found("src/bench/a.cpp", "int x;\n", "no SPDX line")

    def test_header_without_guard(self):
        self.assert_found("src/bench/a.h", SPDX, "#pragma once")

    def test_unknown_module(self):
        self.assert_found("src/misc/a.cpp", SPDX, "no such module")

    def test_empty_tree_is_no_success(self):
        status, output = check({})
        self.assertEqual(status, 1)
        self.assertIn("no sources", output)

    def test_allowed_includes(self):
        self.assert_fine("src/bench/a.cpp", SPDX + '#include "shakedown/comm/session.h"\n#include "straggler.h"\n#include <vector>\n')
        self.assert_fine("src/backends/mpi/a.cpp", SPDX + "#include <mpi.h>\n#ifdef OPEN_MPI\n#endif\n")
        self.assert_fine("src/report/a.cpp", SPDX + "#include <nlohmann/json.hpp>\n")
        self.assert_fine("tools/x/main.cpp", SPDX + '#include <CLI/CLI.hpp>\n#include "shakedown/app/guard.h"\n')

    def test_own_header_named_like_a_vendors(self):
        status, output = check({"tools/x/a.cpp": SPDX + '#include "nccl_tests_options.h"\n', "tools/x/nccl_tests_options.h": SPDX + "#pragma once\n"})
        self.assertEqual(status, 0, output)


if __name__ == "__main__":
    unittest.main()
