#include "device/work_queues.h"

#include <catch2/catch.hpp>

#include "base/check.h"

using namespace warpsim;

namespace {

using Number = std::optional<std::uint64_t>;
using Edge = Dependence::Edge;

WorkQueuesConfig wide() {
  WorkQueuesConfig config;
  config.resident_grids = 16;
  config.hardware_queues = 16;
  config.copy_engines = 2;
  config.device.engine_switch_ns = 200;
  config.device.graph_engine_switch_ns = 500;
  config.device.graph_interval_ns = 30;
  config.device.graph_head_start_ns = 40;
  config.device.programmatic_head_start_ns = 70;
  return config;
}

struct Bench {
  explicit Bench(const WorkQueuesConfig& config = wide()) : queues(config) {}

  WorkHandle add(const Work& work, double submitted_ns = 0) {
    auto state = std::make_shared<WorkState>();
    state->kind = work.kind;
    state->submitted_ns = submitted_ns;
    queues.add(++last, work, state);
    return state;
  }
  WorkHandle kernel(std::uint64_t stream, const std::vector<Dependence>& after = {}, double submitted_ns = 0) {
    return add(work_of(WorkKind::kKernel, stream, after), submitted_ns);
  }
  WorkHandle copy(WorkKind kind, std::uint64_t stream, const std::vector<Dependence>& after = {}) {
    return add(work_of(kind, stream, after));
  }
  static Work work_of(WorkKind kind, std::uint64_t stream, const std::vector<Dependence>& after) {
    Work work;
    work.kind = kind;
    work.place.stream = stream;
    work.place.after = after;
    return work;
  }

  WorkQueues queues;
  std::uint64_t last = 0;
};

}  // namespace

TEST_CASE("work queues: work starts after its submission and the end of what it waits for") {
  Bench bench;
  const WorkHandle first = bench.kernel(7, {}, 10);
  bench.kernel(7, {{first}}, 20);
  bench.kernel(8, {}, 30);
  CHECK(bench.queues.ready(9) == std::nullopt);
  CHECK(bench.queues.next_time(9) == 10.0);
  CHECK(bench.queues.ready(10) == Number(1));
  bench.queues.start(1, 10);
  CHECK(first->started);
  CHECK(bench.queues.ready(25) == std::nullopt);
  CHECK(bench.queues.next_time(25) == 30.0);
  CHECK(bench.queues.ready(30) == Number(3));
  bench.queues.start(3, 30);
  CHECK(bench.queues.resident() == 2);
  CHECK(bench.queues.waiting() == 1);
  bench.queues.end(1, 40);
  CHECK(first->over);
  CHECK(first->end_ns == 40);
  CHECK(bench.queues.ready(40) == Number(2));
  bench.queues.start(2, 40);
  bench.queues.end(2, 50);
  bench.queues.end(3, 50);
  CHECK(bench.queues.empty());
}

TEST_CASE("work queues: no more grids are resident than the device can run, and one cooperative grid") {
  WorkQueuesConfig config = wide();
  config.resident_grids = 2;
  Bench bench(config);
  for (std::uint64_t stream = 1; stream <= 3; ++stream) {
    bench.kernel(stream);
  }
  bench.queues.start(1, 0);
  bench.queues.start(2, 0);
  CHECK(bench.queues.ready(0) == std::nullopt);
  bench.queues.end(1, 5);
  CHECK(bench.queues.ready(5) == Number(3));

  // A grid that waits for what it has launched leaves its place to others.
  bench.queues.start(3, 5);
  const WorkHandle child = bench.kernel(4);
  CHECK(bench.queues.ready(6) == std::nullopt);
  bench.queues.begin_wait(0);
  CHECK(bench.queues.ready(6) == Number(4));
  bench.queues.start(4, 6);
  bench.queues.end_wait(0);
  bench.kernel(5);
  bench.queues.end(4, 7);
  CHECK(bench.queues.ready(7) == std::nullopt);
  CHECK(child->over);

  Bench cooperative;
  Work work = Bench::work_of(WorkKind::kKernel, 1, {});
  work.cooperative = true;
  cooperative.add(work);
  work.place.stream = 2;
  cooperative.add(work);
  cooperative.kernel(3);
  cooperative.queues.start(1, 0);
  CHECK(cooperative.queues.ready(0) == Number(3));
  cooperative.queues.end(1, 1);
  CHECK(cooperative.queues.ready(1) == Number(2));
}

TEST_CASE("work queues: a launch that waits holds up the streams that share its hardware queue") {
  WorkQueuesConfig config = wide();
  config.hardware_queues = 1;
  Bench bench(config);
  const WorkHandle first = bench.kernel(1);
  bench.kernel(1, {{first}});
  bench.kernel(2);
  bench.queues.start(1, 0);
  CHECK(bench.queues.ready(0) == std::nullopt);  // the second one of stream 1 is at the head of the queue
  bench.queues.end(1, 3);
  bench.queues.start(2, 3);
  CHECK(bench.queues.ready(3) == Number(3));
  config.hardware_queues = 2;
  Bench two(config);
  const WorkHandle other = two.kernel(1);
  two.kernel(1, {{other}});
  two.kernel(2);
  two.queues.start(1, 0);
  CHECK(two.queues.ready(0) == Number(3));
}

TEST_CASE("work queues: work of a higher priority starts first") {
  Bench bench;
  bench.kernel(1);
  Work urgent = Bench::work_of(WorkKind::kKernel, 2, {});
  urgent.place.priority = -1;
  bench.add(urgent);
  CHECK(bench.queues.ready(0) == Number(2));
}

TEST_CASE("work queues: each direction has an engine, one engine serves both, and without one kernels wait") {
  Bench bench;
  bench.copy(WorkKind::kToDevice, 1);
  bench.copy(WorkKind::kToDevice, 2);
  bench.copy(WorkKind::kToHost, 3);
  bench.queues.start(1, 0);
  CHECK(bench.queues.ready(0) == Number(3));
  bench.queues.start(3, 0);
  CHECK(bench.queues.ready(0) == std::nullopt);
  bench.queues.end(1, 4);
  CHECK(bench.queues.ready(4) == Number(2));

  WorkQueuesConfig config = wide();
  config.copy_engines = 1;
  Bench one(config);
  one.copy(WorkKind::kToDevice, 1);
  one.copy(WorkKind::kToHost, 3);
  one.kernel(4);
  one.queues.start(1, 0);
  CHECK(one.queues.ready(0) == Number(3));
  config.copy_engines = 0;
  Bench none(config);
  none.copy(WorkKind::kToDevice, 1);
  none.kernel(4);
  none.queues.start(1, 0);
  CHECK(none.queues.ready(0) == std::nullopt);
  none.queues.end(1, 1);
  CHECK(none.queues.ready(1) == Number(2));
}

TEST_CASE("work queues: between a kernel and a copy the engine is switched") {
  Bench bench;
  const WorkHandle kernel = bench.kernel(1);
  const WorkHandle copy = bench.copy(WorkKind::kToHost, 1, {{kernel}});
  bench.kernel(1, {{copy}});
  bench.queues.start(1, 0);
  bench.queues.end(1, 100);
  CHECK(bench.queues.ready(299) == std::nullopt);
  CHECK(bench.queues.next_time(100) == 300.0);
  CHECK(bench.queues.ready(300) == Number(2));
  bench.queues.start(2, 300);
  bench.queues.end(2, 400);
  CHECK(bench.queues.next_time(400) == 600.0);
}

TEST_CASE("work queues: of a graph, a line has a head start and branches start one after another") {
  Bench bench;
  const WorkHandle root = bench.kernel(1);
  const auto node = [&](Edge edge) {
    Work work = Bench::work_of(WorkKind::kKernel, 1, {{root, edge}});
    work.place.in_graph = true;
    bench.add(work);
  };
  node(Edge::kGraph);
  node(Edge::kGraphBranch);
  node(Edge::kGraphBranch);
  bench.queues.start(1, 0);
  bench.queues.end(1, 100);
  CHECK(bench.queues.head_start_ns(2, 100) == 40);
  CHECK(bench.queues.head_start_ns(3, 100) == 0);
  CHECK(bench.queues.ready(100) == Number(2));
  bench.queues.start(2, 100);
  CHECK(bench.queues.ready(100) == Number(3));
  bench.queues.start(3, 100);
  CHECK(bench.queues.ready(129) == std::nullopt);
  CHECK(bench.queues.ready(130) == Number(4));
}

TEST_CASE("work queues: dependent kernels start when the kernel before them says so") {
  for (const Edge edge : {Edge::kProgrammatic, Edge::kProgrammaticBegin, Edge::kBegin}) {
    CAPTURE(static_cast<int>(edge));
    Bench bench;
    const WorkHandle first = bench.kernel(1, {}, 0);
    bench.kernel(1, {{first, edge}}, 0);
    bench.kernel(2, {{first, edge}}, 505);
    bench.copy(WorkKind::kInDevice, 3, {{first, edge}});  // other work waits for the end
    bench.queues.start(1, 0);
    CHECK(bench.queues.ready(600) == std::nullopt);
    (edge == Edge::kProgrammatic ? first->triggered : first->begun) = {true, 500, 520};
    CHECK(bench.queues.ready(519) == std::nullopt);
    CHECK(bench.queues.next_time(0) == std::optional(520.0));
    CHECK(bench.queues.ready(520) == Number(2));
    // What has passed since the report counts, but nothing before the submission.
    CHECK(bench.queues.head_start_ns(2, 520) == 90);
    CHECK(bench.queues.head_start_ns(3, 520) == 15);
    bench.queues.start(2, 520);
    CHECK(bench.queues.ready(520) == Number(3));
    bench.queues.start(3, 520);
    CHECK(bench.queues.ready(600) == std::nullopt);
    bench.queues.end(1, 700);
    CHECK(bench.queues.ready(700) == Number(4));
  }
}

TEST_CASE("work queues: a dependent kernel without a report starts after the end, with the whole launch overhead") {
  Bench bench;
  const WorkHandle first = bench.kernel(1);
  bench.kernel(1, {{first, Edge::kProgrammatic}});
  bench.queues.start(1, 0);
  bench.queues.end(1, 100);
  CHECK(bench.queues.ready(99) == std::nullopt);
  CHECK(bench.queues.ready(100) == Number(2));
  CHECK(bench.queues.head_start_ns(2, 100) == 0);
}

TEST_CASE("work queues: what work waited for is told apart") {
  WorkQueuesConfig config = wide();
  config.hardware_queues = 1;
  config.resident_grids = 1;
  Bench bench(config);
  const WorkHandle event = bench.copy(WorkKind::kToHost, 9);
  const WorkHandle first = bench.kernel(1, {}, 10);
  const WorkHandle second = bench.kernel(2, {{event}}, 20);
  const WorkHandle third = bench.kernel(3, {}, 30);
  bench.queues.start(1, 0);
  bench.queues.start(2, 10);
  bench.queues.end(1, 400);  // the event is over, and after the switch of the engine at 600 there is no place
  bench.queues.end(2, 900);
  REQUIRE(bench.queues.ready(900) == Number(3));
  bench.queues.start(3, 900);
  CHECK(second->waited_for_work_ns == 580);
  CHECK(second->waited_for_queue_ns == 0);
  CHECK(second->waited_for_place_ns == 300);
  bench.queues.end(3, 1000);
  bench.queues.start(4, 1000);
  CHECK(third->waited_for_work_ns == 0);
  CHECK(third->waited_for_queue_ns == 870);
  CHECK(third->waited_for_place_ns == 100);
  CHECK(first->waited_for_place_ns == 0);
}

TEST_CASE("work queues: work is added in order, and ends after its start") {
  Bench bench;
  bench.kernel(1);
  CHECK_THROWS_AS(bench.queues.end(1, 0), InternalError);
  bench.last = 0;
  CHECK_THROWS_AS(bench.kernel(1), InternalError);
}
