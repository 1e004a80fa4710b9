#include "device/device_run.h"

#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "support/device_course.h"

namespace warpsim::test {

TEST_CASE("device: launches of two streams run beside each other") {
  const bool flush = GENERATE(true, false);
  Course course(MachineOptions{.flush_before_launch = flush});
  course.launch(1);
  course.launch(2);
  course.launch(1, 10);
  course.device.finish();
  REQUIRE(course.launches.size() == 3);
  // The host needs 1000 ns for each.
  CHECK(course.launches[0].start_ns == Approx(1000));
  CHECK(course.launches[1].submitted_ns == 2000);
  CHECK(course.launches[1].start_ns < course.launches[0].end_ns);
  CHECK(course.launches[1].start_ns == Approx(2000).margin(50));
  CHECK(course.launches[0].beside == 1);
  CHECK(course.launches[1].beside == 2);
  CHECK(course.launches[2].start_ns >= course.launches[0].end_ns);
  CHECK(course.launches[2].start_ns == Approx(course.launches[0].end_ns).margin(100));
  CHECK(course.launches[2].submitted_ns == 3000);
  CHECK(course.ended == std::vector<std::uint32_t>{0, 2, 1});
}

TEST_CASE("device: a launch takes as long as alone if nothing is shared") {
  Course alone;
  alone.launch(1);
  alone.device.finish();
  Course both;
  both.launch(1);
  both.launch(2);
  both.device.finish();
  for (const std::uint32_t index : {0U, 1U}) {
    CHECK(both.launches[index].result.elapsed_cycles == Approx(alone.launches[0].result.elapsed_cycles).margin(100));
  }
}

TEST_CASE("device: later work of a stream waits for the end of a graph, whose nodes wait only for each other") {
  Course course;
  const WorkHandle before = course.submit(WorkKind::kMarker, 1);
  std::vector<WorkHandle> nodes;
  for (int i = 0; i < 100; ++i) {  // more than the host's queue has entries
    Work work;
    work.kind = WorkKind::kFill;
    work.place.stream = 1;
    work.place.in_graph = true;
    work.place.after = {{nodes.empty() ? before : nodes.back(), Dependence::Edge::kGraph}};
    nodes.push_back(course.device.submit(std::move(work)));
  }
  const double host_ns = course.device.host_ns();
  Work end;
  end.place.stream = 1;
  end.place.after = {{nodes.back()}};
  const WorkHandle over = course.device.end_graph(std::move(end));
  CHECK(course.device.host_ns() == host_ns);
  const WorkHandle after = course.submit(WorkKind::kMarker, 1);
  course.device.finish();
  CHECK(nodes.front()->start_ns == before->end_ns);
  CHECK(over->end_ns == Approx(before->end_ns + 100 * course.config.copies.small_fill_ns));
  CHECK(after->start_ns == over->end_ns);
}

TEST_CASE("device: work that the device submits itself does not wait for the host's time") {
  Course course;
  WorkHandle inner;
  const WorkHandle outer = course.submit(WorkKind::kFill, 1, 0, [&] {
    Work work;
    work.kind = WorkKind::kFill;
    work.place.in_graph = true;
    work.place.by_device = true;
    inner = course.device.submit(std::move(work));
  });
  course.device.spend(100000);
  course.device.finish();
  CHECK(inner->start_ns == outer->end_ns);
  CHECK(inner->start_ns < 100000);
}

TEST_CASE("device: launches of the default stream run one after another") {
  Course course;
  course.launch(0);
  course.launch(0);
  course.device.finish();
  CHECK(course.launches[1].start_ns >= course.launches[0].end_ns);
  CHECK(course.launches[1].beside == 0);
}

TEST_CASE("device: copies run beside kernels, and those of both directions beside each other") {
  Course course;
  const WorkHandle kernel = course.launch(1);
  const WorkHandle in = course.submit(WorkKind::kToDevice, 2, 20000);
  const WorkHandle out = course.submit(WorkKind::kToHost, 3, 20000);
  const WorkHandle second = course.submit(WorkKind::kToDevice, 4, 1000);
  course.device.finish();
  const GpuConfig& config = course.config;
  CHECK(in->submitted_ns == config.host_calls.launch_ns + config.host_calls.copy_ns);
  CHECK(in->start_ns == in->submitted_ns);
  CHECK(in->end_ns < kernel->end_ns);
  CHECK(out->start_ns < in->end_ns);
  CHECK(second->start_ns == Approx(in->end_ns));
}

TEST_CASE("device: a kernel starts after the copy before it in its stream, and a switch of engines") {
  Course course;
  const WorkHandle in = course.submit(WorkKind::kToDevice, 1, 100000);
  const WorkHandle kernel = course.launch(1, 10);
  const WorkHandle out = course.submit(WorkKind::kToHost, 1, 1000);
  course.device.finish();
  const GpuConfig& config = course.config;
  CHECK(in->end_ns == Approx(config.host_calls.copy_ns + config.copies.to_device_ns + 10000));
  CHECK(kernel->start_ns == Approx(in->end_ns + config.device_queues.engine_switch_ns).margin(1));
  CHECK(out->start_ns == Approx(kernel->end_ns + config.device_queues.engine_switch_ns).margin(1));
}

TEST_CASE("device: effects happen in the order of ends") {
  Course course;
  std::vector<int> order;
  course.submit(WorkKind::kToDevice, 1, 100000, [&] { order.push_back(1); });
  course.submit(WorkKind::kFill, 2, 100, [&] { order.push_back(2); });
  course.submit(WorkKind::kHostFunction, 3, 0, [&] { order.push_back(3); });
  course.device.finish();
  CHECK(order == std::vector<int>{2, 3, 1});
}

TEST_CASE("device: the host waits for a piece of work, and no longer") {
  Course course;
  const WorkHandle quick = course.launch(1, 10);
  const WorkHandle slow = course.launch(2);
  course.device.wait(quick);
  CHECK(quick->over);
  CHECK_FALSE(slow->over);
  const GpuConfig& config = course.config;
  CHECK(course.device.host_ns() ==
        Approx(std::max(quick->end_ns, slow->submitted_ns) + config.host_calls.wake_ns).margin(400));
  course.device.wait(nullptr);
  CHECK(slow->over);
  const double before = course.device.host_ns();
  course.device.wait(slow);
  CHECK(course.device.host_ns() == before + config.host_calls.synchronize_ns);
}

TEST_CASE("device: an event waits for its stream and takes its time on the device") {
  Course course;
  const WorkHandle kernel = course.launch(1);
  const WorkHandle event = course.submit(WorkKind::kMarker, 1);
  const WorkHandle next = course.submit(WorkKind::kMarker, 1);
  course.device.streams().wait(2, event);
  const WorkHandle other = course.launch(2, 10);
  course.device.finish();
  CHECK(event->start_ns == kernel->end_ns);
  CHECK(event->end_ns == Approx(kernel->end_ns + course.config.device_queues.marker_ns));
  CHECK(next->end_ns == Approx(event->end_ns + course.config.device_queues.marker_ns));
  CHECK(other->start_ns == Approx(event->end_ns).margin(1));
}

TEST_CASE("device: a kernel of a high priority gets places before one that waits for them") {
  // Two SMs of 8 warps: the first grid has four waves.
  const auto end_of_urgent = [](std::int32_t priority) {
    Course course;
    course.device.streams().open(2, {.blocking = true, .priority = priority});
    Work work;
    work.kind = WorkKind::kKernel;
    work.place.stream = 1;
    KernelShape shape;
    shape.blocks = 8;
    shape.warps = 8;
    work.kernel = std::make_unique<StreamKernel>(waiting_kernel(1000), shape, course.count++, 1);
    const WorkHandle large = course.device.submit(std::move(work));
    const WorkHandle urgent = course.launch(2, 10);
    course.device.finish();
    return (urgent->end_ns - large->start_ns) / (large->end_ns - large->start_ns);
  };
  CHECK(end_of_urgent(0) > 0.75);
  CHECK(end_of_urgent(-1) < 0.5);
}

TEST_CASE("device: nodes of a graph start without the host, a line with a head start") {
  Course course;
  const WorkHandle root = course.launch(1, 100);
  const auto node = [&](const WorkHandle& after, Dependence::Edge edge) {
    Work work;
    work.kind = WorkKind::kKernel;
    work.place.stream = 1;
    work.place.in_graph = true;
    work.place.after = {{after, edge}};
    work.kernel = std::make_unique<StreamKernel>(waiting_kernel(100), KernelShape{}, course.count++, 1);
    return course.device.submit(std::move(work));
  };
  const double before = course.device.host_ns();
  const WorkHandle line = node(root, Dependence::Edge::kGraph);
  const WorkHandle branch = node(line, Dependence::Edge::kGraphBranch);
  CHECK(course.device.host_ns() == before);
  course.device.finish();
  const double head_start_ns = course.config.device_queues.graph_head_start_ns;
  CHECK(line->start_ns == Approx(root->end_ns).margin(1));
  CHECK(branch->end_ns - branch->start_ns == Approx(line->end_ns - line->start_ns + head_start_ns).margin(2));
}

TEST_CASE("device: the host waits if the queue is full") {
  Course course({}, {"host_calls.launch_ns=0", "host_calls.queue_entries=128"});
  for (int i = 0; i < 300; ++i) {
    course.launch(1, 20);
  }
  CHECK(course.ended.size() >= 300 - 130);
  course.device.finish();
  CHECK(course.ended.size() == 300);
  CHECK(course.launches[299].start_ns >= course.launches[298].end_ns);
  CHECK(course.launches[299].submitted_ns > 0);
}

TEST_CASE("device: a launch that reaches the limit of cycles is the last one") {
  Course course(MachineOptions{.max_cycles = 500});
  course.launch(1);
  course.device.finish();
  CHECK(course.device.is_limited());
  CHECK(course.launches[0].result.status == LaunchResult::Status::kCycleLimit);
}

TEST_CASE("device: times do not depend on threads, skipping and order") {
  const auto times = [](const MachineOptions& options) {
    Course course(options);
    for (std::uint32_t i = 0; i < 6; ++i) {
      course.launch(i % 3, 300 * (i + 1));
    }
    course.device.finish();
    std::vector<double> all;
    for (const auto& [index, launch] : course.launches) {
      all.insert(all.end(), {launch.submitted_ns, launch.start_ns, launch.end_ns});
    }
    return all;
  };
  const std::vector<double> expected = times({});
  CHECK(times(MachineOptions{.skip = false}) == expected);
  CHECK(times(MachineOptions{.threads = 2}) == expected);
  CHECK(times(MachineOptions{.shuffle = 3}) == expected);
}

}  // namespace warpsim::test
