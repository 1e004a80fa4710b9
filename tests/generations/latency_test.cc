#include "generations/latency.h"

#include <catch2/catch.hpp>

namespace warpsim::generations {
namespace {

TEST_CASE("Latencies of each generation are within 10 % of the published ones") {
  for (const PublishedLatency& published : published_latencies()) {
    INFO(published.gpu << ", " << to_string(published.place) << ": " << published.source);
    CHECK(measured_latency(published) == Approx(published.cycles).epsilon(0.1));
  }
}

}  // namespace
}  // namespace warpsim::generations
