#include "app/correlation.h"

#include <cmath>
#include <numeric>

namespace warpsim {

std::optional<double> ValuePair::error() const {
  if (hardware == 0) {
    return std::nullopt;
  }
  return (simulated - hardware) / hardware;
}

std::optional<double> pearson(const std::vector<double>& x, const std::vector<double>& y) {
  const auto count = static_cast<double>(x.size());
  if (x.size() < 2) {
    return std::nullopt;
  }
  const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / count;
  const double mean_y = std::accumulate(y.begin(), y.end(), 0.0) / count;
  double covariance = 0;
  double variance_x = 0;
  double variance_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    covariance += (x[i] - mean_x) * (y[i] - mean_y);
    variance_x += (x[i] - mean_x) * (x[i] - mean_x);
    variance_y += (y[i] - mean_y) * (y[i] - mean_y);
  }
  if (variance_x == 0 || variance_y == 0) {
    return std::nullopt;
  }
  return covariance / std::sqrt(variance_x * variance_y);
}

Correlation correlate(const std::vector<ValuePair>& pairs) {
  Correlation result;
  double sum = 0;
  double absolute_sum = 0;
  double worst = -1;
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> log_x;
  std::vector<double> log_y;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const ValuePair& pair = pairs[i];
    x.push_back(pair.hardware);
    y.push_back(pair.simulated);
    if (pair.hardware > 0 && pair.simulated > 0) {
      log_x.push_back(std::log(pair.hardware));
      log_y.push_back(std::log(pair.simulated));
    }
    const std::optional<double> error = pair.error();
    if (!error) {
      ++result.hardware_zero;
      result.hardware_zero_simulated_not += pair.simulated != 0 ? 1 : 0;
      continue;
    }
    ++result.compared;
    sum += *error;
    absolute_sum += std::abs(*error);
    if (std::abs(*error) > worst) {
      worst = std::abs(*error);
      result.worst = i;
    }
  }
  if (result.compared > 0) {
    result.mean_error = sum / static_cast<double>(result.compared);
    result.mean_absolute_error = absolute_sum / static_cast<double>(result.compared);
  }
  result.pearson = pearson(x, y);
  result.log_pearson = pearson(log_x, log_y);
  return result;
}

}  // namespace warpsim
