// How far simulated values are from measured ones. Arithmetic only; app/correlate_command.cc reads and prints.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace warpsim {

// One metric of one launch on both sides.
struct ValuePair {
  std::string launch;  // "bfs[2]"
  double hardware = 0;
  double simulated = 0;

  // (simulated - hardware) / hardware; nothing where hardware is 0.
  std::optional<double> error() const;
};

struct Correlation {
  std::size_t compared = 0;  // pairs in the mean error
  // Pairs where hardware is 0 have no relative error and are left out of it; where the simulator has another value,
  // they are wrong all the same.
  std::size_t hardware_zero = 0;
  std::size_t hardware_zero_simulated_not = 0;
  std::optional<double> mean_absolute_error;  // 0.1: ten per cent
  std::optional<double> mean_error;           // with sign: how much too high
  std::optional<double> pearson;              // of the values, over all pairs
  std::optional<double> log_pearson;          // of their logarithms, over pairs with both above 0
  std::optional<std::size_t> worst;           // the pair of the greatest absolute error
};
Correlation correlate(const std::vector<ValuePair>& pairs);

// Pearson's r; nothing for less than two points or where one side does not vary.
std::optional<double> pearson(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace warpsim
