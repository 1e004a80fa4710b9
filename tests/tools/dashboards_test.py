#!/usr/bin/env python3
"""Runs every query of dashboards/ against a results database that the simulator has just written, and checks the files.

usage: dashboards_test.py WARPSIM SOURCE_DIR
"""

import json
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

WARPSIM, SOURCE = sys.argv[1], Path(sys.argv[2])
GRAFANA = sorted((SOURCE / "dashboards" / "grafana").glob("*.json"))
DATASETTE = SOURCE / "dashboards" / "datasette" / "metadata.json"
# Available only for sampled runs and runs that count hot spots, or several differing ones.
MAY_BE_EMPTY = re.compile(r"\b(FROM (timeseries\w*|hot_spots|run_note|config)\b)")
VARIABLE = re.compile(r"\$\{(\w+)(?::(\w+))?\}")


def simulate(folder):
    database = folder / "results.db"
    subprocess.run([WARPSIM, "run", SOURCE / "traces" / "vecadd.wtrace", "--gpu", "h200", "--out", database],
                   check=True, stdout=subprocess.DEVNULL)
    measured = folder / "measured.csv"
    measured.write_text("ID,Kernel Name,Metric Name,Metric Unit,Metric Value\n"
                        "0,k_vecadd,gpc__cycles_elapsed.max,cycle,10000\n0,k_vecadd,gpu__time_duration.sum,us,5\n")
    subprocess.run([WARPSIM, "import-ncu", database, measured], check=True, stdout=subprocess.DEVNULL)
    return database


class Dashboards(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.connection = sqlite3.connect(f"file:{simulate(Path(cls.folder.name))}?mode=ro", uri=True)

    @classmethod
    def tearDownClass(cls):
        cls.connection.close()
        cls.folder.cleanup()

    def run_query(self, sql, parameters=()):
        try:
            cursor = self.connection.execute(sql, parameters)
        except sqlite3.Error as error:
            self.fail(f"{error}: {sql}")
        rows = cursor.fetchall()
        return [column[0] for column in cursor.description], rows

    def substituted(self, sql, values):
        """The query as Grafana sends it."""
        def value(match):
            name, form = match.groups()
            self.assertIn(name, values, f"{sql}: no variable {name}")
            text = str(values[name])
            return "'" + text.replace("'", "''") + "'" if form == "sqlstring" else text
        return VARIABLE.sub(value, sql)

    def variables(self, board):
        values = {}
        for variable in board["templating"]["list"]:
            self.assertTrue(variable["label"])
            if variable["type"] == "datasource":
                self.assertEqual(variable["query"], "frser-sqlite-datasource")
                values[variable["name"]] = "uid"
            elif variable["type"] == "custom":
                values[variable["name"]] = variable["query"].split(",")
            else:
                columns, rows = self.run_query(self.substituted(variable["query"], values))
                self.assertEqual(len(columns), 1, "the plugin takes variables of one column")
                self.assertTrue(rows, variable["name"])
                values[variable["name"]] = rows[0][0]
        return values

    def referenced_fields(self, panel):
        for override in panel["fieldConfig"]["overrides"]:
            yield override["matcher"]["options"]
        if "xField" in panel["options"]:
            yield panel["options"]["xField"]
        for series in panel["options"].get("series", []):
            yield series["x"]["matcher"]["options"]
            yield series["y"]["matcher"]["options"]

    def check_panel(self, panel, values):
        self.assertTrue(panel["title"])
        for target in panel["targets"]:
            self.assertEqual(target["queryText"], target["rawQueryText"])
            sql = self.substituted(target["queryText"], values)
            columns, rows = self.run_query(sql)
            if not MAY_BE_EMPTY.search(sql):
                self.assertTrue(rows, f"{panel['title']} is empty: {sql}")
            for field in self.referenced_fields(panel):
                self.assertIn(field, columns, panel["title"])
            self.assertEqual(len(columns), len(set(columns)), sql)

    def test_grafana(self):
        self.assertEqual([path.stem for path in GRAFANA],
                         ["correlation", "launches", "memory", "overview", "stalls", "timeseries"])
        uids = set()
        for path in GRAFANA:
            with self.subTest(path.name):
                board = json.loads(path.read_text())
                self.assertNotIn(board["uid"], uids)
                uids.add(board["uid"])
                ids = [panel["id"] for panel in board["panels"]]
                self.assertEqual(len(ids), len(set(ids)))
                titles = [panel["title"] for panel in board["panels"]]
                self.assertTrue(all(titles))
                places = [tuple(panel["gridPos"][key] for key in "xywh") for panel in board["panels"]]
                self.assertTrue(all(x + w <= 24 for x, _, w, _ in places))
                for i, (x, y, w, h) in enumerate(places):
                    for u, v, s, t in places[:i]:
                        self.assertTrue(x >= u + s or u >= x + w or y >= v + t or v >= y + h, titles[i])
                values = self.variables(board)
                choices = [(name, value) for name, value in values.items() if isinstance(value, list)]
                for panel in board["panels"]:
                    self.assertEqual(panel["datasource"]["uid"], "${datasource}")
                    for name, options in choices or [(None, [None])]:
                        for option in options:
                            self.check_panel(panel, {**values, name: option})

    def test_datasette(self):
        metadata = json.loads(DATASETTE.read_text())
        database = metadata["databases"]["results"]
        known = {}
        for (name,) in self.connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"):
            known[name] = {row[1] for row in self.connection.execute(f"PRAGMA table_info({name})")}
        for name, table in database["tables"].items():
            self.assertIn(name, known)
            if table.get("hidden"):
                continue
            self.assertTrue(table["description"], name)
            columns = list(table["columns"])
            columns += table.get("facets", []) + [table[key] for key in ("sort", "sort_desc", "label_column") if key in table]
            for column in columns:
                self.assertIn(column, known[name], name)
        for name, query in database["queries"].items():
            self.assertTrue(query["title"], name)
            chosen = {"run": "vecadd", "first": "vecadd", "second": "vecadd", "metric": "gpc__cycles_elapsed.max"}
            _, rows = self.run_query(query["sql"], chosen)
            if name not in ("differing_values", "hot_spots_of_run"):
                self.assertTrue(rows, name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
