#include "probe.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace calibration {

void require(cudaError_t error, const char* call) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "probes: %s: %s\n", call, cudaGetErrorString(error));
    std::exit(1);
  }
}

Device query_device() {
  cudaDeviceProp properties{};
  REQUIRE(cudaGetDeviceProperties(&properties, 0));
  Device device;
  device.sms = properties.multiProcessorCount;
  device.capability = properties.major * 10 + properties.minor;
  device.l2_bytes = properties.l2CacheSize;
  device.memory_bytes = properties.totalGlobalMem;
  return device;
}

void Results::add(const std::string& name, const char* unit, double value) {
  const auto [place, is_new] = index_.try_emplace(name, series_.size());
  if (is_new) {
    series_.push_back({name, unit, {}});
  }
  series_[place->second].values.push_back(value);
}

void Results::print() const {
  std::printf("name,unit,median,min,max,runs\n");
  for (const Series& series : series_) {
    const auto [least, most] = std::minmax_element(series.values.begin(), series.values.end());
    std::printf("%s,%s,%.7g,%.7g,%.7g,%zu\n", series.name.c_str(), series.unit.c_str(), percentile(series.values, 50),
                *least, *most, series.values.size());
  }
}

double percentile(std::vector<double> values, double percent) {
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  return values[static_cast<std::size_t>(last * percent / 100 + 0.5)];
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += value;
  }
  return sum / static_cast<double>(values.size());
}

double cycles_of(const std::vector<Span>& spans, std::size_t first, std::size_t count) {
  long long start = spans[first].start;
  long long end = spans[first].end;
  for (std::size_t i = first + 1; i < first + count; ++i) {
    start = std::min(start, spans[i].start);
    end = std::max(end, spans[i].end);
  }
  return static_cast<double>(end - start);
}

}  // namespace calibration
