#!/usr/bin/env python3
"""Tests the style check: each case adds one violation to an otherwise clean tree."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECK = Path(__file__).resolve().with_name("check_style.py")
CLEAN = {
    "sim/core/sm.h": "#pragma once\nint sm();\n",
    "sim/core/sm.cc": '#include "core/sm.h"\nint sm() {\n  return 1;\n}\n',
    "tests/unit/core/sm_test.cc": '#include "core/sm.h"\n',
    "configs/gpu.yaml": "sm:\n  warps: 8  # assumed: small\n  list: [1, 2]  # vendor: guide\n  policy: gto\n",
    "README.md": "See `sim/core/sm.{h,cc}`.\n",
    "CMakeLists.txt": "project(x)\n",
}


def breaches(changes):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for name, text in {**CLEAN, **changes}.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        result = subprocess.run([sys.executable, CHECK, root], capture_output=True, text=True, check=False)
        found = [line for line in result.stdout.splitlines() if not line.endswith((" breaches", " assumed values"))]
        assert (result.returncode != 0) == bool(found), result.stdout + result.stderr
        return found


class StyleCheck(unittest.TestCase):
    def assert_finds(self, changes, *expected):
        found = breaches(changes)
        self.assertEqual(len(found), 1, found)
        for part in expected:
            self.assertIn(part, found[0])

    def test_a_clean_tree_passes(self):
        self.assertEqual(breaches({}), [])

    def test_includes_go_one_way(self):
        self.assert_finds({"sim/core/sm.h": '#include "frontend/x.h"\n'}, "sim/core/sm.h:1", "must not include sim/frontend")

    def test_includes_of_the_memory_system_go_one_way(self):
        for line in ('#include "memory/l2/x.h"\n', '#include "memory/dram/x.h"\n', '#include "memory/memory_system.h"\n'):
            self.assert_finds({"sim/memory/caches/tags.h": line}, "sim/memory/caches/tags.h:1", "must not include memory/")
        for line in ('#include "memory/caches/y.h"\n', '#include "memory/mem_message.h"\n'):
            self.assertEqual(breaches({"sim/memory/l2/x.h": line}), [])

    def test_only_the_application_prints(self):
        self.assert_finds({"sim/core/sm.cc": "void f() {\n  std::cout << 1;\n}\n"}, "sim/core/sm.cc:2", "app/")
        self.assertEqual(breaches({"sim/app/main.cc": "void f() {\n  std::cout << 1;\n}\n"}), [])

    def test_words_in_comments_and_strings_do_not_print(self):
        self.assertEqual(breaches({"sim/core/sm.cc": '// printf(1)\nconst char* s = "exit(2)";\n'}), [])

    def test_threads_stay_in_app_and_engine(self):
        self.assert_finds({"sim/core/sm.cc": "#include <thread>\n"}, "threads")

    def test_long_files_and_functions_are_found(self):
        self.assert_finds({"sim/core/sm.cc": "int a;\n" * 401}, "file has 401 lines")
        self.assert_finds({"web/src/main.js": "a;\n" * 401}, "file has 401 lines")
        self.assert_finds({"tests/browser/t.mjs": "a" * 121 + "\n"}, "tests/browser/t.mjs:1", "121 columns")
        body = "int f(int x) {\n  if (x) {\n" + "    ++x;\n" * 101 + "  }\n  return x;\n}\n"
        self.assert_finds({"sim/core/sm.cc": "namespace w {\n\n" + body + "\n}\n"}, "sim/core/sm.cc:3", "function has")

    def test_a_class_is_not_a_function(self):
        self.assertEqual(breaches({"sim/core/sm.cc": "class A : public B {\n" + "  int f() const;\n" * 150 + "};\n"}), [])

    def test_a_component_needs_a_test(self):
        self.assert_finds({"tests/unit/core/sm_test.cc": "\n"}, 'no test reaches "core/sm.h"')
        helper = {"sim/core/lsu.cc": "\n", "sim/core/sm.h": '#include "core/lsu.h"\n'}
        self.assertEqual(breaches({**helper, "sim/core/lsu.h": "int lsu();\n"}), [])
        self.assert_finds({**helper, "sim/core/lsu.h": "class Lsu : public Component {};\n"}, "component without a unit test")

    def test_names_that_hide_those_of_headers_are_found(self):
        header = "#pragma once\nnamespace w {\nusing Wide = long;\n}  // namespace w\n"
        hiding = "namespace w {\nnamespace {\nusing Wide = int;\n}  // namespace\n}  // namespace w\n"
        using = '#include "core/sm.h"\nnamespace w {\nWide f();\n}  // namespace w\n'
        tree = {"sim/core/sm.h": header, "sim/app/part/a.cc": hiding, "sim/app/b.cc": using}
        self.assert_finds(tree, "sim/app/part/a.cc:3", "'Wide' hides that of sim/core/sm.h from sim/app/b.cc")
        self.assertEqual(breaches({**tree, "sim/app/b.cc": '#include "core/sm.h"\n'}), [])
        self.assertEqual(breaches({**tree, "sim/app/part/a.cc": hiding.replace("namespace w ", "namespace v ")}), [])
        small = {"sim/core/sm.h": header, "sim/core/b.cc": using}
        self.assert_finds({**small, "sim/core/a.cc": hiding}, "sim/core/a.cc:3")
        self.assertEqual(breaches({**small, "sim/core/part/a.cc": hiding}), [])

    def test_a_value_needs_a_source(self):
        self.assert_finds({"configs/gpu.yaml": "sm:\n  warps: 8  # enough\n"}, "configs/gpu.yaml:2", "without a source")
        self.assert_finds({"configs/gpu.yaml": "sm:\n  fast: true\n"}, "without a source")
        self.assertEqual(breaches({"configs/gpu.yaml": "sm:\n  # paper: figure 3\n  warps: 8\n"}), [])

    def test_calibrated_values_are_listed(self):
        config = "l2:\n  fill_bytes: 64  # measured: public.csv stridecopy\n"
        row = "| value | file |\n| --- | --- |\n| `l2.fill_bytes` | `configs/gpu.yaml` | x |\n"
        page = "docs/accuracy/calibration.md"
        self.assert_finds({"configs/gpu.yaml": config}, "configs/gpu.yaml:2", "'l2.fill_bytes' comes from measurements of workloads")
        self.assertEqual(breaches({"configs/gpu.yaml": config, page: row}), [])
        self.assert_finds({page: row}, page + ":3", "no source in configs/gpu.yaml says that 'l2.fill_bytes'")

    def test_sources_above_words_and_other_sections_count_for_calibration(self):
        above = "l2:\n  # measured: all 144 launches\n  policy: lru\n"
        self.assert_finds({"configs/gpu.yaml": above}, "configs/gpu.yaml:3", "'l2.policy'")
        nested = "a:\n  b:\n    c: 1  # assumed: small\n  d: 2  # assumed: fitted to extra.csv bigwrite launch 0\n"
        self.assert_finds({"configs/gpu.yaml": nested}, "configs/gpu.yaml:4", "'a.d'")

    def test_microbenchmarks_are_no_calibration_on_workloads(self):
        self.assertEqual(breaches({"configs/gpu.yaml": "a: 1  # measured: micro.csv x and extra.csv launches, 5\n"}), [])

    def test_phrases_that_the_glossary_replaces_are_found(self):
        self.assert_finds({"README.md": "Results that must come" + " out.\n"}, "README.md:1", "write 'expected results'")
        self.assert_finds({"docs/a.md": "64 bytes a" + " cycle\n"}, "docs/a.md:1", "write 'per cycle'")
        self.assert_finds({"configs/gpu.yaml": "a: 1  # paper: X, as" + " recalled\n"}, "configs/gpu.yaml:1", "write 'not verified'")
        self.assertEqual(breaches({"README.md": "The bytes that a cycle moves; in the mean time; one behind the wall.\n"}), [])

    def test_paths_in_documents_exist(self):
        self.assert_finds({"README.md": "See `docs/nothing.md`.\n"}, "README.md:1", "there is no docs/nothing.md")

    def test_the_project_speaks_of_itself_alone(self):
        self.assert_finds({"sim/core/sm.cc": "// see /" + "home/me/notes\n"}, "a path of one machine")
        self.assert_finds({"README.md": "TO" + "DO: write\n"}, "an unfinished piece")


if __name__ == "__main__":
    unittest.main()
