// The memory systems of several GPUs with the links between them, in round numbers: one clock of 1 GHz for everything.
//
// A GPU's memory is as in memory_fixture.h. A read that hits the L2 of another GPU takes, port to port,
//   port 10 + gate 20 + link 200 + port of the other GPU 1 + slice 20, and back 5 + 1 + 200 + 5 + 15: 477;
// one of the host's memory 10 + 20 + 300 + 100 + 300 + 5 + 15 = 750. Links: 64 bytes per cycle to GPUs, 16 to the host.
#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "memory/remote/peer_links.h"
#include "memory/remote/remote_gate.h"
#include "unit/memory/memory_fixture.h"

namespace warpsim::testing {

inline LinksConfig tiny_links() {
  LinksConfig links;
  links.peer.kind = PeerLinkKind::kNvlink;
  links.peer.bandwidth_gb_per_s = 64;
  links.peer.latency_ns = 200;
  links.peer.request_header_bytes = 16;
  links.peer.response_header_bytes = 16;
  links.peer.atomic_packet_bytes = 64;
  links.peer.outstanding_requests = 1000;
  links.peer.ports_per_partition = 2;
  links.host.bandwidth_gb_per_s = 16;
  links.host.latency_ns = 300;
  links.host.request_header_bytes = 24;
  links.host.response_header_bytes = 20;
  links.host.atomic_packet_bytes = 4;
  links.host.outstanding_requests = 1000;
  links.host.memory_latency_ns = 100;
  return links;
}

class RemoteWorld {
 public:
  static constexpr Address kBytes = 0x100000;  // of each GPU's memory, one after another, then of the host's
  // Each GPU has two ports, in the two partitions.
  explicit RemoteWorld(std::uint32_t gpus, const LinksConfig& links = tiny_links(),
                       const MemoryConfig& config = tiny_memory())
      : links(gpus, links) {
    build(config);
  }
  explicit RemoteWorld(const std::vector<LinksConfig>& links) : links(links) { build(tiny_memory()); }

  static Address memory_of(std::size_t gpu) { return kBytes * (gpu + 1); }
  Address host_memory() const { return memory_of(links.size()); }

  // Scripts by GPU and port. Returns the cycles to the last answer.
  Cycle run(const std::vector<std::vector<std::vector<MemRequest>>>& scripts, std::uint32_t window = 1000) {
    const Cycle start = engine.now(0);
    for (std::size_t gpu = 0; gpu < ports.size(); ++gpu) {
      for (std::size_t port = 0; port < 2; ++port) {
        const bool given = gpu < scripts.size() && port < scripts[gpu].size();
        ports[gpu][port]->start(given ? scripts[gpu][port] : std::vector<MemRequest>{}, window, start);
      }
    }
    engine.run(engine.domain(0).time_of(start + 100000));
    Cycle last = start;
    for (std::size_t gpu = 0; gpu < ports.size(); ++gpu) {
      for (const auto& port : ports[gpu]) {
        REQUIRE(port->idle());
        last = std::max(last, port->last());
      }
      REQUIRE(memories[gpu]->idle());
    }
    return last - start;
  }
  // Of one request by port 0 of GPU 0.
  Cycle latency(const MemRequest& request) {
    run({{{request}}});
    return ports[0][0]->answers().back().latency();
  }
  std::uint64_t total(std::size_t gpu, const std::string& name, LaunchSeat seat = 0) {
    struct Sum final : StatVisitor {
      std::string wanted;
      std::uint64_t sum = 0;
      void counter(const std::string& kind, const std::string&, const NamedCounter& counter) override {
        sum += kind + "." + counter.name() == wanted ? counter.value() : 0;
      }
      void histogram(const std::string&, const std::string&, const Histogram&) override {}
    } visitor;
    visitor.wanted = name;
    visit((*stats[gpu])[seat], visitor);
    return visitor.sum;
  }

  std::vector<LinksConfig> links;
  MemoryHomes homes;
  Engine engine;
  std::vector<std::unique_ptr<LaunchStats<StatGroup>>> stats;
  std::vector<std::unique_ptr<MemorySystem>> memories;
  std::vector<std::vector<std::unique_ptr<ScriptedPort>>> ports;
  std::unique_ptr<PeerLinks> peer_links;

 private:
  void build(const MemoryConfig& config) {
    const std::uint32_t core = engine.add_domain("core", 1000);
    const std::uint32_t l2 = engine.add_domain("l2", 1000);
    const std::uint32_t dram = engine.add_domain("dram", 1000);
    std::vector<PeerLinks::Member> members;
    for (std::uint32_t gpu = 0; gpu < links.size(); ++gpu) {
      homes.set(memory_of(gpu), kBytes, gpu);
      stats.push_back(std::make_unique<LaunchStats<StatGroup>>("gpu"));
      stats.back()->add_seat();
      memories.push_back(std::make_unique<MemorySystem>(
          engine, core, l2, dram, config, std::vector<MemorySystem::Port>{{0, 0}, {1, 1}}, *stats.back(),
          MemorySystem::Remote{links[gpu], &homes, gpu, links.size() > 1}));
      memories.back()->begin_launch(kGuestSeat);
      ports.emplace_back();
      for (std::uint32_t port = 0; port < 2; ++port) {
        ports.back().push_back(
            std::make_unique<ScriptedPort>(memories.back()->requests(port), memories.back()->responses(port)));
        ports.back().back()->connect(engine.add_component(core, "port", *ports.back().back()));
      }
      members.push_back({memories.back()->gate(), &links[gpu], &engine.domain(l2)});
    }
    homes.set(host_memory(), kBytes, MemoryHomes::kHost);
    if (links.size() > 1) {
      peer_links = std::make_unique<PeerLinks>(members);
    }
  }
};

}  // namespace warpsim::testing
