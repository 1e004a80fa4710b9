// Results databases of examples and figures of them.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "report/figure.h"
#include "support/results_example.h"
#include "support/temporary_folder.h"

namespace warpsim::test {

inline constexpr const char* kCycles = "gpc__cycles_elapsed.max";
inline constexpr const char* kTime = "gpu__time_duration.sum";

inline ExampleLaunch timed(double cycles, double nanoseconds) {
  return {"k", {{kCycles, cycles}, {kTime, nanoseconds}}, {}};
}

class Results {
 public:
  explicit Results(const std::vector<ExampleRun>& runs) {
    write_example_results(folder_.at("r.db"), runs);
    database_.emplace(folder_.at("r.db"), Database::Mode::kReadOnly);
  }
  const Database& database() const { return *database_; }
  Figure figure(const FigureRequest& request) const { return make_figure(database(), request); }
  // Without the path of the database.
  std::string error(const FigureRequest& request) const {
    try {
      make_figure(database(), request);
    } catch (const UserError& problem) {
      std::string text = problem.what();
      const std::size_t at = text.find(database().path() + ": ");
      return at == std::string::npos ? text : text.substr(at + database().path().size() + 2);
    }
    return "";
  }
  void execute(const std::string& sql) { Database(folder_.at("r.db"), Database::Mode::kReadWrite).execute(sql); }

 private:
  TemporaryFolder folder_;
  std::optional<Database> database_;
};

inline FigureRequest request_of(FigureKind kind) {
  FigureRequest request;
  request.kind = kind;
  return request;
}

inline std::vector<double> numbers(const Figure& figure, const std::string& column) {
  std::vector<double> values;
  for (std::size_t row = 0; row < figure.data.rows.size(); ++row) {
    values.push_back(number_in(figure.data.at(row, column)).value_or(NAN));
  }
  return values;
}

}  // namespace warpsim::test
