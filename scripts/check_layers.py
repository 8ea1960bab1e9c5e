#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what a compiler does not: who includes whom, where vendors' headers live, and the house rules that can be read off a line.

    check_layers.py [ROOT]      prints PATH:LINE: what is wrong; exit 1 if anything is
"""

import pathlib
import re
import sys

# module -> the modules that it may include beside itself
MAY_INCLUDE = {
    "base": set(),
    "math": {"base"},
    "model": {"base"},
    "device": {"base", "math"},
    "comm": {"base", "math"},
    "gemm": {"base", "math"},
    "hw": {"base", "math", "model"},
    "bench": {"base", "math", "model", "device", "comm", "gemm", "hw"},
    "backends": {"base", "math", "model", "device", "comm", "gemm", "hw"},
    "report": {"base", "math", "model"},
    "app": {"base", "model", "hw"},
}
VENDOR = re.compile(r"(cuda|nccl|rccl|nvml|cublas|cupti|nvtx|hip|mpi|oneapi|dnnl|cblas|openblas|omp|mma)\w*[./]", re.IGNORECASE)
# library -> the only modules that may see it
LIBRARY_HOMES = {"CLI/": {"tools"}, "nlohmann/": {"report"}, "dlfcn.h": {"backends"}}
MOST_LINES = 300
SOURCE_SUFFIXES = {".h", ".hpp", ".cpp", ".cc", ".c", ".cu", ".cuh"}
SCRIPT_SUFFIXES = {".py", ".sh"}
INCLUDE = re.compile(r'\s*#\s*include\s*[<"]([^>"]+)[>"]')
CONDITIONAL = re.compile(r"\s*#\s*(ifdef|ifndef|if|elif)\b")


def module_of(path):
    """The module of a path relative to the root: its folder under include/shakedown or src, or "tools", "tests"; else None."""
    parts = path.parts
    if parts[:2] == ("include", "shakedown") and len(parts) > 3:
        return parts[2]
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    return parts[0] if parts[0] in ("tools", "tests") else None


def included_module(header, path):
    """The module of this project that a header belongs to; a header beside the file is of the file's own module."""
    parts = header.split("/")
    if parts[0] == "shakedown" and len(parts) > 2:
        return parts[1]
    if len(parts) > 1 and parts[0] in MAY_INCLUDE:
        return parts[0]
    if ".." in parts:
        return "a header above its folder"
    return module_of(path)


def check_include(root, header, path):
    module = module_of(path)
    is_vendors = VENDOR.match(header) and not (root / path.parent / header).exists()
    if module == "tests":
        return
    if module in MAY_INCLUDE:
        target = included_module(header, path)
        if target != module and target not in MAY_INCLUDE[module]:
            yield f"{module} must not include {target} <{header}>"
    if is_vendors and module != "backends":
        yield f"vendor header <{header}> outside src/backends"
    if is_vendors and path.parts[0] == "include":
        yield f"vendor header <{header}> in a public header"
    for library, homes in LIBRARY_HOMES.items():
        if header.startswith(library) and module not in homes:
            yield f"<{header}> is for {', '.join(sorted(homes))} alone"


def check_source(root, path, lines):
    for number, line in enumerate(lines, 1):
        found = INCLUDE.match(line)
        if found:
            for problem in check_include(root, found.group(1), path):
                yield number, problem
        if CONDITIONAL.match(line) and module_of(path) not in ("backends", "tests"):
            yield number, "conditional compilation outside src/backends"


def check_file(root, path):
    lines = (root / path).read_text(encoding="utf-8").splitlines()
    if not any("SPDX-License-Identifier: Apache-2.0" in line for line in lines[:2]):
        yield 1, "no SPDX line at the top"
    if len(lines) > MOST_LINES:
        yield len(lines), f"more than {MOST_LINES} lines; split it"
    if path.suffix in SOURCE_SUFFIXES:
        yield from check_source(root, path, lines)
        if path.suffix == ".h" and "#pragma once" not in lines:
            yield 1, "a header without #pragma once"


def files_of(root):
    for folder in ("include", "src", "tools", "tests", "scripts"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SOURCE_SUFFIXES | SCRIPT_SUFFIXES and path.is_file():
                yield path.relative_to(root)


def unknown_modules(root):
    for folder in ("include/shakedown", "src"):
        for path in sorted((root / folder).glob("*/")):
            if path.is_dir() and path.name not in MAY_INCLUDE:
                yield f"{folder}/{path.name}:1: no such module in the table of {pathlib.Path(__file__).name}"


def problems_of(root):
    yield from unknown_modules(root)
    for path in files_of(root):
        for number, problem in check_file(root, path):
            yield f"{path}:{number}: {problem}"


def main(arguments):
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parent.parent)
    files = list(files_of(root))
    if not files:
        print(f"check_layers.py: no sources under {root}", file=sys.stderr)
        return 1
    problems = list(problems_of(root))
    print("\n".join(problems) or f"{len(files)} files in order")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
