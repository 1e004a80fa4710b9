#include "mechanisms/prefetchers/stream.h"

#include <catch2/catch.hpp>

#include "support/mechanism_bench.h"
#include "support/prefetched_lines.h"

namespace warpsim::mechanism {
namespace {

using StreamBench = MechanismBench<Stream>;

TEST_CASE("Two misses of neighbours start a stream, which stays two lines ahead") {
  StreamBench stream;
  CHECK(prefetched_after_miss(*stream, 100).empty());
  CHECK(prefetched_after_miss(*stream, 101) == Lines{102, 103});
  CHECK(prefetched_after_miss(*stream, 102) == Lines{104});
  CHECK(prefetched_after_miss(*stream, 103) == Lines{105});
  CHECK(stream.counter("streams_started") == 1);
  CHECK(stream.counter("streams_confirmed") == 1);
  CHECK(stream.counter("predictions") == 4);
}

TEST_CASE("A stream may descend") {
  StreamBench stream({}, {{"degree", 3}});
  prefetched_after_miss(*stream, 100);
  CHECK(prefetched_after_miss(*stream, 99) == Lines{98, 97, 96});
  CHECK(prefetched_after_miss(*stream, 98) == Lines{95});
}

TEST_CASE("Hits follow a stream but do not start one") {
  StreamBench stream;
  CHECK(prefetched_after_miss(*stream, 100, 0, 0, true).empty());
  CHECK(prefetched_after_miss(*stream, 101).empty());
  CHECK(prefetched_after_miss(*stream, 102, 0, 0, true) == Lines{103, 104});
  CHECK(stream.counter("streams_started") == 1);
}

TEST_CASE("Lines that overtake each other belong to the same stream") {
  StreamBench stream({}, {{"degree", 4}});
  prefetched_after_miss(*stream, 100);
  CHECK(prefetched_after_miss(*stream, 101) == Lines{102, 103, 104, 105});
  CHECK(prefetched_after_miss(*stream, 104) == Lines{106, 107, 108});
  CHECK(prefetched_after_miss(*stream, 102).empty());
  CHECK(prefetched_after_miss(*stream, 104).empty());
  CHECK(prefetched_after_miss(*stream, 108) == Lines{109, 110, 111, 112});
  CHECK(stream.counter("streams_started") == 1);
}

TEST_CASE("A line further away than the degree starts another stream") {
  StreamBench stream;
  prefetched_after_miss(*stream, 100);
  CHECK(prefetched_after_miss(*stream, 101) == Lines{102, 103});
  CHECK(prefetched_after_miss(*stream, 104).empty());
  CHECK(stream.counter("streams_started") == 2);
  CHECK(prefetched_after_miss(*stream, 103) == Lines{104, 105});  // the first one
}

TEST_CASE("Only the neighbour of its first line gives a stream a direction") {
  StreamBench stream;
  prefetched_after_miss(*stream, 100);
  CHECK(prefetched_after_miss(*stream, 102).empty());
  CHECK(prefetched_after_miss(*stream, 100).empty());
  CHECK(stream.counter("streams_started") == 2);
  CHECK(stream.counter("streams_confirmed") == 0);
}

TEST_CASE("Streams alternate") {
  StreamBench stream({}, {{"degree", 1}});
  for (const Address line : {100, 200, 300}) {
    prefetched_after_miss(*stream, line);
  }
  CHECK(prefetched_after_miss(*stream, 201) == Lines{202});
  CHECK(prefetched_after_miss(*stream, 99) == Lines{98});
  CHECK(prefetched_after_miss(*stream, 301) == Lines{302});
  CHECK(prefetched_after_miss(*stream, 202) == Lines{203});
}

TEST_CASE("A new stream takes the one that is unused for the longest time") {
  StreamBench stream({}, {{"streams", 2}});
  prefetched_after_miss(*stream, 100);
  prefetched_after_miss(*stream, 200);
  prefetched_after_miss(*stream, 101);
  prefetched_after_miss(*stream, 300);  // instead of 200
  CHECK(prefetched_after_miss(*stream, 102) == Lines{104});
  CHECK(prefetched_after_miss(*stream, 301) == Lines{302, 303});
  CHECK(prefetched_after_miss(*stream, 201).empty());
  CHECK(stream.counter("streams_started") == 4);
}

TEST_CASE("Streams end at both ends of the address space") {
  StreamBench stream({}, {{"degree", 4}});
  prefetched_after_miss(*stream, 3);
  CHECK(prefetched_after_miss(*stream, 2) == Lines{1, 0});
  CHECK(prefetched_after_miss(*stream, 1).empty());
  const Address last = ~Address{0} / kLineBytes;
  prefetched_after_miss(*stream, last - 2);
  CHECK(prefetched_after_miss(*stream, last - 1) == Lines{last});
  CHECK(prefetched_after_miss(*stream, last).empty());
}

TEST_CASE("The first and the last line are not neighbours") {
  StreamBench stream;
  prefetched_after_miss(*stream, ~Address{0} / kLineBytes);
  CHECK(prefetched_after_miss(*stream, 0).empty());
  CHECK(prefetched_after_miss(*stream, 1) == Lines{2, 3});
}

}  // namespace
}  // namespace warpsim::mechanism
