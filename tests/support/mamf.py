# SPDX-License-Identifier: Apache-2.0
"""Runs the built mamf_finder on the CPU."""

import tool

MAMF = tool.BIN / "mamf_finder"
CPU = ["--backend", "cpu", "--dtype", "float32"]
# One small shape, a moment's work.
SHORT = [*CPU, "--m", "64", "--n", "64", "--k", "64", "--protocol", "burst", "--num-iterations", "2"]
# A row every second or so for minutes: something to interrupt.
LONG = [*CPU, "--m-range", "64", "576", "8", "--n", "64", "--k", "64", "--protocol", "burst", "--num-iterations", "20"]


def mamf(*arguments, **more):
    """mamf_finder started by hand."""
    return tool.run([MAMF, *arguments], **more)


def has_cpu_engine():
    return (tool.BIN.parent / "lib" / "shakedown" / "libshakedown_onednn.so").exists()
