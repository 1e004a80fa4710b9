// Published latencies of GPUs, and the same measured by chains of dependent instructions on the simulator's.
#pragma once

#include <string>
#include <vector>

namespace warpsim::generations {

struct PublishedLatency {
  enum class Place { kArithmetic, kL1, kShared, kL2, kDram };
  std::string gpu;
  Place place;
  double cycles = 0;
  std::string source;
  double overhead_cycles = 0;  // of the address arithmetic that the published figure contains
};
const std::vector<PublishedLatency>& published_latencies();
const char* to_string(PublishedLatency::Place place);

// From one instruction of the chain to the next, on average, with the published figure's overhead.
double measured_latency(const PublishedLatency& published);

}  // namespace warpsim::generations
