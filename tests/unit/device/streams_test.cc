#include "device/streams.h"

#include <catch2/catch.hpp>

using namespace warpsim;

namespace {

WorkHandle work() {
  return std::make_shared<WorkState>();
}

std::vector<WorkHandle> waits_for(const Streams& streams, std::uint64_t stream) {
  std::vector<WorkHandle> all;
  for (const Dependence& dependence : streams.dependences(stream)) {
    all.push_back(dependence.work);
  }
  return all;
}

using Works = std::vector<WorkHandle>;

}  // namespace

TEST_CASE("streams: work waits for the last work of its stream until that is over") {
  Streams streams;
  streams.open(1, {});
  streams.open(2, {});
  const WorkHandle first = work();
  streams.enter(1, first);
  CHECK(waits_for(streams, 1) == Works{first});
  CHECK(waits_for(streams, 2).empty());
  first->over = true;
  CHECK(waits_for(streams, 1).empty());
}

TEST_CASE("streams: a stream waits for events of others once") {
  Streams streams;
  const WorkHandle event = work();
  const WorkHandle own = work();
  streams.enter(1, own);
  streams.wait(1, event);
  streams.wait(1, nullptr);
  CHECK(waits_for(streams, 1) == Works{own, event});
  const WorkHandle next = work();
  streams.enter(1, next);
  CHECK(waits_for(streams, 1) == Works{next});
}

TEST_CASE("streams: a dependent launch begins early only after a kernel of its own stream") {
  using Edge = Dependence::Edge;
  Streams streams;
  const WorkHandle own = work();
  const WorkHandle event = work();
  const WorkHandle main = work();
  for (const WorkHandle& kernel : {own, event, main}) {
    kernel->kind = WorkKind::kKernel;
  }
  streams.enter(Streams::kDefault, main);
  streams.enter(1, own);
  streams.wait(1, event, Edge::kBegin);
  std::vector<Dependence> all = streams.dependences(1);
  streams.make_programmatic(1, all);
  REQUIRE(all.size() == 3);
  CHECK(all[0].edge == Edge::kProgrammatic);
  CHECK(all[1].edge == Edge::kBegin);  // as the stream was told
  CHECK(all[2].edge == Edge::kStream);
  own->kind = WorkKind::kFill;
  all = streams.dependences(1);
  streams.make_programmatic(1, all);
  CHECK(all[0].edge == Edge::kStream);
  all = streams.dependences(7);
  streams.make_programmatic(7, all);
  CHECK(all[0].edge == Edge::kStream);
}

TEST_CASE("streams: the default stream and blocking streams wait for each other, others do not") {
  Streams streams;
  streams.open(1, {.blocking = true});
  streams.open(2, {.blocking = false});
  const WorkHandle blocking = work();
  const WorkHandle free = work();
  streams.enter(1, blocking);
  streams.enter(2, free);
  CHECK(waits_for(streams, Streams::kDefault) == Works{blocking});
  const WorkHandle main = work();
  streams.enter(Streams::kDefault, main);
  CHECK(waits_for(streams, 1) == Works{blocking, main});
  CHECK(waits_for(streams, 2) == Works{free});
  CHECK(waits_for(streams, 3) == Works{main});  // never opened: as the streams of a trace
}

TEST_CASE("streams: the default stream also waits for what a blocking stream waits for, and for closed streams") {
  Streams streams;
  streams.open(1, {});
  const WorkHandle event = work();
  streams.wait(1, event);
  CHECK(waits_for(streams, Streams::kDefault) == Works{event});
  const WorkHandle last = work();
  streams.enter(1, last);
  streams.close(1);
  CHECK(waits_for(streams, Streams::kDefault) == Works{last});
  streams.close(1);
}

TEST_CASE("streams: work has the priority of its stream") {
  Streams streams;
  streams.open(1, {.priority = -3});
  CHECK(streams.priority(1) == -3);
  CHECK(streams.priority(9) == 0);
}
