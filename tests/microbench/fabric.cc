// Rates at which SMs read from DRAM and write in L2 by the home of the lines, as tests/hardware/fabric_rates: lines of
// the SM's own half of L2 (near), of the other half (far) or of either, by the even and the odd SMs of each half; and
// at which SMs read in L2 what others write at the same time, or what is beside it.
//
// One block on each SM. Its warps repeat accesses of 512 bytes until the time is over; eight warps access a chunk of
// one home.
#include <algorithm>
#include <array>
#include <bit>

#include "base/error.h"
#include "core/gpu/topology.h"
#include "memory/address_map.h"
#include "microbench/fabric_listings.h"
#include "microbench/memory_probe.h"
#include "microbench/microbench.h"

namespace warpsim::microbench {
namespace {

constexpr std::uint32_t kWarps = 32;  // of a block
constexpr std::uint32_t kLaneBytes = 16;
constexpr std::uint32_t kWarpBytes = kLaneBytes * kWarpSize;
constexpr std::uint32_t kAccesses = 4;  // of a round
constexpr Cycle kWarmUp = 10000;        // cycles before what is measured
constexpr Cycle kBudget = 30000;        // cycles in which rounds begin that are measured
constexpr std::uint32_t kChunkBytes = 4096;
constexpr std::uint32_t kListsOfSide = 70;  // more than SMs of a half
constexpr Address kReads = kBuffer;
constexpr Address kWrites = kBuffer + (Address{1} << 30U);
constexpr std::uint64_t kReadBytes = std::uint64_t{512} << 20U;
constexpr std::uint64_t kWriteBytes = std::uint64_t{16} << 20U;

enum class Mode : std::uint8_t { kIdle, kRead, kWrite, kCopy };
constexpr bool is_reading(Mode mode) {
  return mode == Mode::kRead || mode == Mode::kCopy;
}
constexpr bool is_writing(Mode mode) {
  return mode == Mode::kWrite || mode == Mode::kCopy;
}
enum class Place : std::uint8_t { kNear, kFar, kEither };
constexpr std::array<Place, 3> kPlaces = {Place::kNear, Place::kFar, Place::kEither};

std::string name_of(Place place) {
  return place == Place::kNear ? "near" : place == Place::kFar ? "far" : "either";
}

// What a group of SMs does.
struct Role {
  Mode mode = Mode::kIdle;
  Place reads = Place::kNear;
  Place writes = Place::kNear;

  std::string name() const {
    switch (mode) {
      case Mode::kIdle:
        return "idle";
      case Mode::kRead:
        return "read_" + name_of(reads);
      case Mode::kWrite:
        return "write_" + name_of(writes);
      case Mode::kCopy:
        break;
    }
    return "copy_" + name_of(reads) + "_to_" + name_of(writes);
  }
};
constexpr Role kIdle = {};
constexpr Role read_from(Place place) {
  return {Mode::kRead, place, place};
}
constexpr Role write_to(Place place) {
  return {Mode::kWrite, place, place};
}
constexpr Role copy(Place from, Place to) {
  return {Mode::kCopy, from, to};
}
// Of the even and the odd SMs of the first half, then of the second.
using Roles = std::array<Role, 4>;

// What is read: memory that nobody writes, from DRAM; in L2 the chunks that others write, or as many others.
enum class Source : std::uint8_t { kDram, kWritten, kBeside };

struct Plan {
  Roles roles;
  std::uint32_t sms = 33;  // of each of these groups that have the role; the others do nothing
  bool spread = false;     // every n-th chunk of the wanted home, instead of neighbours
  Source source = Source::kDram;
};

// What one SM does, and the first addresses of its chunks, a power of two.
struct Work {
  Mode mode = Mode::kIdle;
  std::vector<Address> reads;
  std::vector<Address> writes;
};

class FabricBlock final : public BlockSource {
 public:
  // `rate`: receives the bytes per cycle that the warps together move in each direction that they use.
  FabricBlock(const Kernel& kernel, const Work& work, double& rate) : work_(work), rate_(rate) {
    for (std::uint32_t warp = 0; warp < kWarps; ++warp) {
      warps_.emplace_back(WarpPath(kernel, 0, warp, addresses_));
    }
  }

  std::uint32_t warp_count() const override { return kWarps; }

  // One round after another, each when the one before has issued its last instruction, which follows its clock.
  void refill(WarpStream& stream, Cycle now) override {
    Warp& warp = warps_[stream.warp];
    if (warp.start == kNever) {
      warp.start = now;
    }
    if (now - warp.start < kWarmUp) {
      warp.begun = now;
      warp.accesses_before = warp.accesses;
    }
    if (warp.ended) {
      stream.finished = true;
    } else if (work_.mode == Mode::kIdle || now - warp.start >= kWarmUp + kBudget) {
      if (work_.mode != Mode::kIdle) {
        rate_ += static_cast<double>((warp.accesses - warp.accesses_before) * kWarpBytes) /
                 static_cast<double>(now - warp.begun);
      }
      warp.path.run("end");
      warp.ended = true;
    } else {
      run_round(warp);
    }
    warp.instructions = warp.path.take();
    stream.next = warp.instructions.data();
    stream.end = stream.next + warp.instructions.size();
  }

  LaneAddresses addresses(const WarpInstruction& instruction) const override {
    return instruction.addresses == WarpInstruction::kNoAddresses ? LaneAddresses{}
                                                                  : addresses_.at(instruction.addresses);
  }

 private:
  struct Warp {
    explicit Warp(const WarpPath& own_path) : path(own_path) {}

    WarpPath path;
    std::vector<WarpInstruction> instructions;  // of the round
    Cycle start = kNever;
    Cycle begun = 0;             // what is measured
    std::uint64_t accesses = 0;  // before the round
    std::uint64_t accesses_before = 0;
    bool ended = false;
  };

  // Accesses that follow each other are 32 warps apart, which is four chunks.
  static std::uint64_t chunk_of(const std::vector<Address>& chunks, std::uint64_t warp, std::uint64_t access) {
    return (warp / kWarpsOfChunk + access * (kWarps / kWarpsOfChunk)) % chunks.size();
  }
  static Lanes lanes_of(const std::vector<Address>& chunks, std::uint64_t warp, std::uint64_t access) {
    return {chunks[chunk_of(chunks, warp, access)] + warp % kWarpsOfChunk * kWarpBytes, kLaneBytes};
  }
  // The word of shared memory with the number of a chunk.
  static Lanes word(std::uint64_t index) { return {index * sizeof(std::uint32_t), 0}; }

  void run_round(Warp& warp) {
    const std::uint64_t number = warp.path.warp();
    warp.path.run("round");
    if (is_reading(work_.mode)) {
      warp.path.run("loads", [&](std::uint32_t i) {
        const std::uint64_t access = warp.accesses + i % kAccesses;
        return i < kAccesses ? word(chunk_of(work_.reads, number, access)) : lanes_of(work_.reads, number, access);
      });
    }
    for (std::uint32_t i = 0; i < kAccesses; ++i) {
      warp.path.run(kChoices[i]);
      if (is_writing(work_.mode)) {
        const std::uint64_t access = warp.accesses + i;
        warp.path.run(kStores[i], [&](std::uint32_t part) {
          return part == 0 ? word(work_.reads.size() + chunk_of(work_.writes, number, access))
                           : lanes_of(work_.writes, number, access);
        });
      }
    }
    warp.path.run("round_end");
    warp.accesses += kAccesses;
  }

  static constexpr std::uint32_t kWarpsOfChunk = 8;
  static constexpr std::array<const char*, kAccesses> kChoices = {"choice0", "choice1", "choice2", "choice3"};
  static constexpr std::array<const char*, kAccesses> kStores = {"store0", "store1", "store2", "store3"};

  const Work& work_;
  double& rate_;
  AddressPool addresses_;
  std::vector<Warp> warps_;
};

class FabricKernel final : public KernelSource {
 public:
  // Throws UserError if the GPU has another number of partitions, or too many SMs for the lists of the program.
  FabricKernel(const GpuConfig& config, const Plan& plan) : topology_(config.topology) {
    if (config.memory.address_map.num_partitions != 2 || topology_.sm_count() > 2 * kListsOfSide) {
      throw UserError("the family fabric needs a GPU with two L2 partitions and at most " +
                      std::to_string(2 * kListsOfSide) + " SMs");
    }
    kernel_.listing = std::make_shared<Listing>(kFabricRound);
    launch_.kernel = "fabric_rates";
    launch_.grid = {topology_.sm_count(), 1, 1};
    launch_.block = {kWarps * kWarpSize, 1, 1};
    launch_.registers_per_thread = 40;
    launch_.shared_bytes = 200 << 10U;  // one block an SM
    launch_.program = kernel_.listing->program();
    assign(AddressMap(config.memory.address_map), plan);
  }
  const KernelLaunch& launch() const override { return launch_; }
  std::unique_ptr<BlockSource> start_block(std::uint64_t /*block*/, std::uint32_t sm) override {
    return std::make_unique<FabricBlock>(kernel_, work_[sm], rates_[sm]);
  }
  // Bytes per cycle that the SMs of a group move in each direction that they use.
  double rate(std::uint32_t group) const {
    double sum = 0;
    for (std::uint32_t sm = 0; sm < topology_.sm_count(); ++sm) {
      sum += group_[sm] == group ? rates_[sm] : 0;
    }
    return sum;
  }

 private:
  struct Region {
    Address begin;
    std::uint64_t bytes;
    Place place;
  };
  void assign(const AddressMap& map, const Plan& plan) {
    std::array<std::uint32_t, 2> seen = {};
    std::array<std::uint32_t, 4> ranks = {};
    for (std::uint32_t sm = 0; sm < topology_.sm_count(); ++sm) {
      const std::uint32_t side = topology_.l2_partition_of_sm(sm);
      const std::uint32_t group = side * 2 + seen[side]++ % 2;
      const std::uint32_t rank = ranks[group]++;
      const std::uint32_t number = side * kListsOfSide + rank * 2 + group % 2;
      const Role role = rank < plan.sms ? plan.roles[group] : kIdle;
      const auto chunks = [&](bool used, const Region& region) {
        return used ? chunks_of(map, region, side, number, plan.spread) : std::vector<Address>{};
      };
      const Region reads = {plan.source == Source::kWritten ? kWrites : kReads,
                            plan.source == Source::kDram ? kReadBytes : kWriteBytes, role.reads};
      group_.push_back(group);
      work_.push_back({role.mode, chunks(is_reading(role.mode), reads),
                       chunks(is_writing(role.mode), {kWrites, kWriteBytes, role.writes})});
    }
    rates_.resize(work_.size());
  }

  // Those of one SM, as the measured program divides them.
  static std::vector<Address> chunks_of(const AddressMap& map, const Region& region, std::uint32_t side,
                                        std::uint32_t sm, bool spread) {
    const std::uint32_t lists = region.place == Place::kEither ? 2 * kListsOfSide : kListsOfSide;
    const std::uint64_t each = region.bytes / kChunkBytes / 2 / kListsOfSide;
    std::vector<Address> result;
    std::uint64_t number = 0;
    for (Address chunk = region.begin; chunk < region.begin + region.bytes; chunk += kChunkBytes) {
      const bool near = map.home_of(chunk).partition == side;
      if (region.place == Place::kEither || near == (region.place == Place::kNear)) {
        if ((spread ? number % lists : number / each) == sm % lists) {
          result.push_back(chunk);
        }
        ++number;
      }
    }
    result.resize(std::bit_floor(result.size()));
    return result;
  }

  Kernel kernel_;  // the listing of its warps
  Topology topology_;
  KernelLaunch launch_;
  std::vector<Work> work_;            // by SM, as the following
  std::vector<std::uint32_t> group_;  // index into Roles
  std::vector<double> rates_;
};

enum class Direction : std::uint8_t { kRead, kWrite };

double rate(const GpuConfig& config, const Plan& plan, Direction direction) {
  FabricKernel kernel(config, plan);
  Machine machine(config, MachineOptions{.flush_before_launch = false});
  machine.run(kernel);
  double sum = 0;
  for (std::uint32_t group = 0; group < plan.roles.size(); ++group) {
    const Mode mode = plan.roles[group].mode;
    const bool counts = direction == Direction::kRead ? is_reading(mode) : is_writing(mode);
    sum += counts ? kernel.rate(group) : 0;
  }
  return sum;
}

void add(Family& family, const Plan& plan) {
  const Roles& roles = plan.roles;
  const std::string source = plan.source == Source::kDram      ? ""
                             : plan.source == Source::kWritten ? "written."
                                                               : "beside.";
  const std::string name = "fabric." + source + (plan.spread ? "spread." : "") + roles[0].name() + "+" +
                           roles[1].name() + "." + roles[2].name() + "+" + roles[3].name() + ".sms" +
                           std::to_string(plan.sms);
  for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
    const bool read = direction == Direction::kRead;
    if (std::ranges::any_of(roles,
                            [&](const Role& role) { return read ? is_reading(role.mode) : is_writing(role.mode); })) {
      family.probes.push_back({name + (read ? ".read" : ".written"),
                               [plan, direction](const GpuConfig& config) { return rate(config, plan, direction); }});
    }
  }
}
// All SMs of the groups that have a role, with neighbouring chunks.
void add(Family& family, const Roles& roles) {
  add(family, Plan{roles});
}

}  // namespace

Family fabric_family() {
  Family family{"fabric", {}, {}};
  for (const Place place : kPlaces) {
    for (const Role& role : {read_from(place), write_to(place)}) {
      add(family, Roles{role, role, role, role});
      add(family, Roles{role, kIdle, role, kIdle});
      add(family, Roles{role, role, kIdle, kIdle});
    }
  }
  for (const Place from : kPlaces) {
    for (const Place to : kPlaces) {
      add(family, Roles{read_from(from), write_to(to), read_from(from), write_to(to)});
      add(family, Roles{copy(from, to), copy(from, to), copy(from, to), copy(from, to)});
    }
  }
  const Role read_near = read_from(Place::kNear);
  const Role read_far = read_from(Place::kFar);
  const Role write_near = write_to(Place::kNear);
  const Role write_far = write_to(Place::kFar);
  add(family, Roles{read_far, read_far, write_far, write_far});
  add(family, Roles{read_far, write_far, kIdle, kIdle});
  add(family, Roles{write_far, write_far, write_far, kIdle});
  add(family, Roles{read_near, read_far, read_near, read_far});
  add(family, Roles{read_near, read_far, kIdle, kIdle});
  add(family, Roles{write_near, write_far, write_near, write_far});
  add(family, Roles{read_near, write_far, kIdle, kIdle});
  add(family, Roles{write_near, read_far, kIdle, kIdle});
  constexpr std::uint32_t kAll = Plan{}.sms;
  for (const Role& role : {read_near, read_far, write_near, write_far}) {
    add(family, Plan{{role, role, role, role}, kAll, true});
    add(family, Plan{{role, kIdle, role, kIdle}, kAll, true});
  }
  add(family, Plan{{read_near, write_far, read_near, write_far}, kAll, true});
  add(family, Plan{{write_near, write_far, write_near, write_far}, kAll, true});
  for (const std::uint32_t sms : {1U, 4U, 16U}) {
    add(family, Plan{{write_near, kIdle, write_near, kIdle}, sms});
    add(family, Plan{{write_far, kIdle, write_far, kIdle}, sms});
  }
  for (const bool spread : {false, true}) {
    for (const Source source : {Source::kWritten, Source::kBeside}) {
      add(family, Plan{{write_near, write_near, read_far, read_far}, kAll, spread, source});
    }
  }
  return family;
}

}  // namespace warpsim::microbench
