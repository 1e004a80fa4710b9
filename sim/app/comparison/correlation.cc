#include "app/comparison/correlation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace warpsim {

MetricKind metric_kind(const std::string& metric) {
  if (metric.find(".pct") != std::string::npos) {
    return MetricKind::kPercentage;
  }
  for (const char* rollup : {".sum", ".avg", ".max", ".min"}) {
    if (metric.ends_with(rollup)) {
      return MetricKind::kCount;
    }
  }
  return MetricKind::kRatio;
}

std::optional<double> error_between(MetricKind kind, double hardware, double simulated) {
  constexpr double kPoints = 100;
  const double difference = simulated - hardware;
  if (kind == MetricKind::kPercentage) {
    return difference / kPoints;
  }
  if (kind == MetricKind::kCount) {
    return difference / std::max(hardware, kSmallCount);
  }
  if (hardware == 0) {
    return std::nullopt;
  }
  return difference / hardware;
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

double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double position = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (position - std::floor(position)) * (values[above] - values[below]);
}

Correlation correlate(MetricKind kind, const std::vector<ValuePair>& pairs) {
  Correlation result;
  double sum = 0;
  std::vector<double> absolute;
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
    const std::optional<double> error = error_between(kind, pair.hardware, pair.simulated);
    if (!error) {
      ++result.hardware_zero;
      result.hardware_zero_simulated_not += pair.simulated != 0 ? 1 : 0;
      continue;
    }
    sum += *error;
    absolute.push_back(std::abs(*error));
    if (!result.worst || std::abs(*error) > std::abs(*result.worst_error)) {
      result.worst = i;
      result.worst_error = error;
    }
  }
  result.compared = absolute.size();
  if (!absolute.empty()) {
    const auto count = static_cast<double>(absolute.size());
    result.mean_error = sum / count;
    result.mean_absolute_error = std::accumulate(absolute.begin(), absolute.end(), 0.0) / count;
    result.median_absolute_error = percentile(absolute, 0.5);
    result.p90_absolute_error = percentile(absolute, 0.9);
  }
  result.pearson = pearson(x, y);
  result.log_pearson = pearson(log_x, log_y);
  return result;
}

}  // namespace warpsim
