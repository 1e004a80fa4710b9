#include "stats/schema_variants.h"

#include <algorithm>
#include <set>
#include <vector>

#include "stats/database.h"

namespace warpsim {

namespace {

// A value varies if two runs of one GPU differ in it: GPUs differ in nearly everything. One run stands for all of its
// configuration.
constexpr const char* kParameters = R"sql(
CREATE VIEW parameters AS
SELECT c.run_id AS run_id, r.name AS run_name, c.path AS parameter, c.value AS value
FROM config c JOIN run r ON r.run_id = c.run_id
WHERE r.source = 'simulated' AND c.path IN (
  SELECT d.path FROM config d JOIN run q ON q.run_id = d.run_id
  WHERE q.run_id IN (SELECT min(run_id) FROM run WHERE source = 'simulated' GROUP BY gpu, config_hash)
  GROUP BY q.gpu, d.path HAVING min(d.value) <> max(d.value))
UNION ALL
SELECT run_id, name, 'cache_control', cache_control FROM run
WHERE source = 'simulated' AND
      (SELECT min(cache_control) <> max(cache_control) FROM run WHERE source = 'simulated');
)sql";

// A workload has the part of its run's name before '@' as its name, otherwise that of its trace: "bfs" for
// traces/bfs.wtrace, bfs/kernelslist.g and bfs/traces/kernelslist.g.
constexpr const char* kVariants = R"sql(
CREATE VIEW variants AS
WITH place AS (
  SELECT run_id, rtrim(CASE WHEN trace = 'kernelslist.g' OR trace LIKE '%/kernelslist.g'
                            THEN substr(trace, 1, length(trace) - length('kernelslist.g')) ELSE trace END, '/') AS path
  FROM run WHERE source = 'simulated'
), folder AS (
  SELECT run_id, rtrim(CASE WHEN path LIKE '%/traces' THEN substr(path, 1, length(path) - length('traces'))
                            ELSE path END, '/') AS path FROM place
), file AS (
  SELECT run_id, substr(path, length(rtrim(path, replace(path, '/', ''))) + 1) AS name FROM folder
), known AS (
  SELECT r.*, instr(r.name, '@') AS at,
         CASE WHEN instr(f.name, '.') > 1
              THEN substr(f.name, 1, length(rtrim(f.name, replace(f.name, '.', ''))) - 1) ELSE f.name END AS stem
  FROM run r JOIN file f ON f.run_id = r.run_id
), split AS (
  SELECT *, CASE WHEN at > 1 THEN substr(name, 1, at - 1) ELSE coalesce(nullif(stem, ''), name) END AS workload,
         CASE WHEN at > 1 THEN substr(name, at + 1) END AS suffix
  FROM known
), keyed AS (
  SELECT *, coalesce(nullif(trace_hash, ''), workload) AS workload_key FROM split
), repeated AS (
  SELECT *, row_number() OVER (PARTITION BY workload_key, launches, gpu, config_hash, cache_control
                               ORDER BY run_id) AS repetition
  FROM keyed
), grouped AS (
  SELECT *, min(run_id) OVER (PARTITION BY gpu, config_hash, cache_control, repetition) AS variant_id,
         min(run_id) OVER (PARTITION BY workload_key) AS workload_id
  FROM repeated
), variant AS (
  SELECT variant_id, gpu, config_hash, repetition, CASE WHEN count(*) = 1 THEN name END AS only_run,
         CASE WHEN count(suffix) = count(*) AND min(suffix) = max(suffix) THEN min(suffix) END AS suffix
  FROM grouped GROUP BY variant_id
), labelled AS (
  SELECT v.variant_id AS variant_id,
         CASE WHEN count(*) OVER (PARTITION BY v.gpu) = 1 THEN v.gpu
              WHEN v.suffix IS NOT NULL AND count(*) OVER (PARTITION BY v.suffix) = 1 THEN v.suffix
              WHEN v.settings IS NULL AND v.only_run IS NOT NULL THEN v.only_run
              ELSE v.gpu || ' [' || coalesce(v.settings, v.config_hash) || ']' ||
                   CASE WHEN v.repetition > 1 THEN ' (' || v.repetition || ')' ELSE '' END
         END AS label
  FROM (SELECT *, (SELECT group_concat(p.parameter || '=' || p.value, ', ') FROM
                   (SELECT parameter, value FROM parameters WHERE run_id = variant_id ORDER BY parameter) p) AS settings
        FROM variant) v
)
SELECT g.run_id AS run_id, g.name AS run_name, g.workload_id AS workload_id, g.workload AS workload,
       l.variant_id AS variant_id, l.label AS variant, g.gpu AS gpu
FROM grouped g JOIN labelled l ON l.variant_id = g.variant_id;
)sql";

// sim/report/speedups.h computes the same in C++, for several databases.
constexpr const char* kSpeedups = R"sql(
CREATE VIEW speedups AS
WITH measured AS (
  SELECT v.workload_id AS workload_id, v.workload AS workload, v.variant_id AS variant_id, v.variant AS variant,
         l.launch_index AS launch_index, m.value / 1000 AS time_us,
         row_number() OVER (PARTITION BY v.variant_id, v.workload_id, l.launch_index ORDER BY v.run_id) AS place
  FROM variants v
  JOIN launch l ON l.run_id = v.run_id AND l.status = 'complete'
  JOIN metric_value m ON m.run_id = l.run_id AND m.launch_index = l.launch_index
                     AND m.metric = 'gpu__time_duration.sum' AND m.value > 0
), timed AS MATERIALIZED (
  SELECT * FROM measured WHERE place = 1
)
SELECT b.variant_id AS baseline_id, min(b.variant) AS baseline, t.variant_id AS variant_id, min(t.variant) AS variant,
       t.workload_id AS workload_id, min(t.workload) AS workload, count(*) AS launches,
       sum(b.time_us) AS baseline_time_us, sum(t.time_us) AS time_us, sum(b.time_us) / sum(t.time_us) AS speed_up
FROM timed t JOIN timed b ON b.workload_id = t.workload_id AND b.launch_index = t.launch_index
                         AND b.variant_id <> t.variant_id
GROUP BY b.variant_id, t.variant_id, t.workload_id;

CREATE VIEW mean_speedups AS
SELECT baseline_id, min(baseline) AS baseline, variant_id, min(variant) AS variant, count(*) AS workloads,
       exp(avg(ln(speed_up))) AS geometric_mean, sum(baseline_time_us) / sum(time_us) AS speed_up_of_sum
FROM speedups GROUP BY baseline_id, variant_id;
)sql";

std::vector<std::string> texts(const Database& database, const char* sql) {
  std::vector<std::string> found;
  Statement statement(database, sql);
  while (statement.step()) {
    found.push_back(statement.text(0));
  }
  return found;
}

// "l2.num_ways" becomes l2_num_ways; a name that is already a column, or not a plain name, keeps its dots.
std::string column_of(const std::string& parameter, std::set<std::string>& taken) {
  std::string name = parameter;
  std::ranges::replace(name, '.', '_');
  if (!taken.insert(name).second) {
    name = parameter;
    taken.insert(name);
  }
  return name;
}

// `parameter` is a key of a configuration: it holds no quotes.
std::string parameter_column(const std::string& parameter, const std::string& name) {
  const std::string source =
      parameter == "cache_control"
          ? "(SELECT cache_control FROM run q WHERE q.run_id = s.run_id)"
          : "(SELECT value FROM config c WHERE c.run_id = s.run_id AND c.path = '" + parameter + "')";
  return ",\n       (SELECT CASE WHEN x GLOB '*[^-+.0-9eE]*' OR x NOT GLOB '*[0-9]*' THEN x "
         "ELSE CAST(x AS NUMERIC) END FROM (SELECT " +
         source + " AS x)) AS \"" + name + "\"";
}

}  // namespace

std::string variant_schema() {
  return std::string(kParameters) + kVariants + kSpeedups;
}

void update_sweep_view(Database& database) {
  const std::vector<std::string> own = texts(database, "SELECT name FROM pragma_table_info('kernel_summary')");
  std::set<std::string> taken(own.begin(), own.end());
  taken.insert({"workload", "variant"});
  std::string sql = "CREATE VIEW sweep AS\nSELECT s.*, v.workload AS workload, v.variant AS variant";
  for (const std::string& parameter : texts(database, "SELECT DISTINCT parameter FROM parameters ORDER BY parameter")) {
    sql += parameter_column(parameter, column_of(parameter, taken));
  }
  sql += "\nFROM kernel_summary s JOIN variants v ON v.run_id = s.run_id";
  const std::vector<std::string> present = texts(database, "SELECT sql FROM sqlite_master WHERE name = 'sweep'");
  if (present.empty() || present.front() != sql) {
    database.execute("DROP VIEW IF EXISTS sweep;\n" + sql);
  }
}

}  // namespace warpsim
