// Only the memory pipeline of one SM, with a memory that answers after a fixed time, and a log of the events
// that it posts. Instructions come from a KernelBuilder; parameters are those of the tiny GPU.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/load_store/load_store_unit.h"
#include "support/machine.h"

namespace warpsim::test {

class LoadStoreBench {
 public:
  struct Options {
    Overrides overrides = {};
    Cycle memory_latency = 50;      // from a request's arrival to its response
    std::size_t link_entries = 64;  // of the link to memory, whose latency is one cycle
    bool answer_sector_by_sector = false;
  };
  LoadStoreBench() : LoadStoreBench(Options{}) {}
  explicit LoadStoreBench(const Options& options);

  // The program's instruction `index` enters the queue of a sub-core. False: the queue is full.
  bool issue(const KernelBuilder& program, std::uint32_t index, Cycle now, std::uint8_t sub_core = 0);
  // Runs all cycles up to and including `until`.
  void run(Cycle until);
  // Issues the program's instructions at `now`, `interval` cycles apart, and runs until everything is done. Returns the
  // cycle of the last instruction's result, counted from its issue.
  Cycle latency_of_last(const KernelBuilder& program, Cycle now = 100, Cycle interval = 200);

  struct Request {
    Cycle cycle;  // in which it reached memory
    MemRequest request;
  };
  std::vector<Request> requests;
  std::map<std::uint32_t, Cycle> results;       // by static instruction: cycle of kResultWritten
  std::map<std::uint32_t, Cycle> sources_read;  // and of kSourcesRead
  std::uint64_t results_posted = 0;
  std::uint64_t sources_read_posted = 0;
  std::uint32_t freed = 0;  // sub-cores whose queue had an entry freed in the last cycle run
  AddressWindows windows;
  bool memory_stopped = false;  // accepts no more requests

  LoadStoreUnit& unit() { return unit_; }
  std::uint64_t operator[](const std::string& counter) const { return counters_of(root_[0]).at(counter); }
  Cycle now() const { return now_; }

 private:
  void serve_memory();
  void answer(const MemRequest& request);

  Options options_;
  GpuConfig config_;
  ClockDomain clock_{"core", 1000};
  Link<MemRequest> to_memory_;
  Link<GpcRequest> to_gpc_;  // constants: no receiver
  LaunchStats<StatGroup> root_{"root"};
  SmEvents events_;
  ConstantCaches constants_;
  Link<ClusterMessage> to_cluster_;  // no receiver
  Link<ClusterMessage> from_cluster_;
  AsyncUnit async_;
  LoadStoreUnit unit_;
  std::vector<IssueTable> tables_;  // of the programs issued; infos are referred to
  std::multimap<Cycle, MemRequest> answers_;
  Cycle now_ = 0;
};

}  // namespace warpsim::test
