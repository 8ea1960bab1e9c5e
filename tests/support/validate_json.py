#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Validates documents against a schema that readers may rely on.

    validate_json.py SCHEMA DOCUMENT...      exit 0, 1 with what is wrong, or 77 where python3-jsonschema is missing

Readers must ignore keys that they do not know, so the schema allows them; here a key that the schema does not describe is wrong.
"""

import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    sys.exit(77)


def closed(schema):
    """The schema, with no key allowed beside the described ones wherever it describes a whole object."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    schema = {key: closed(value) for key, value in schema.items()}
    if isinstance(schema.get("required"), list) and isinstance(schema.get("properties"), dict):
        schema["additionalProperties"] = False
    return schema


def main(schema_path, *documents):
    schema = closed(json.loads(pathlib.Path(schema_path).read_text(encoding="utf-8")))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    wrong = 0
    for path in documents:
        for error in validator.iter_errors(json.loads(pathlib.Path(path).read_text(encoding="utf-8"))):
            print(f"{path}: {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}", file=sys.stderr)
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
