#include "frontend/workload/trace_info.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/error.h"

namespace warpsim {
namespace {

constexpr Address kGenericWindowBytes = Address{1} << 24U;

bool in_window(Address address, Address base) {
  return base != 0 && address - base < kGenericWindowBytes;
}

class KernelReader {
 public:
  KernelReader(KernelSource& source, KernelInfo& info)
      : source_(source), launch_(source.launch()), program_(*launch_.program), info_(info) {
    info_.launch_index = launch_.launch_index;
    info_.kernel = launch_.kernel;
    info_.architecture = program_.architecture;
    info_.has_listing = program_.has_listing;
    info_.has_control = program_.has_control;
    info_.grid = launch_.grid;
    info_.block = launch_.block;
    info_.registers_per_thread = launch_.registers_per_thread;
    info_.shared_bytes = launch_.shared_bytes;
    info_.local_bytes_per_thread = launch_.local_bytes_per_thread;
    for (const StaticInstruction& instruction : program_.instructions) {
      classes_.push_back(instruction_class(program_.opcodes[instruction.opcode], program_.architecture));
    }
  }

  void read_block(std::uint64_t index) {
    const std::unique_ptr<BlockSource> block = source_.start_block(index, 0);
    for (std::uint32_t warp = 0; warp < block->warp_count(); ++warp) {
      WarpStream stream;
      stream.warp = warp;
      bool active = false;
      do {
        block->refill(stream, 0);
        active = active || stream.next != stream.end;
        for (; stream.next != stream.end; ++stream.next) {
          count(*block, *stream.next);
        }
      } while (!stream.finished);
      info_.warps += active ? 1 : 0;
    }
    ++info_.blocks;
  }

 private:
  void count(const BlockSource& block, const WarpInstruction& executed) {
    const StaticInstruction& instruction = program_.instructions[executed.index];
    const auto lanes = static_cast<std::uint32_t>(std::popcount(executed.active));
    ++info_.instructions;
    info_.thread_instructions += lanes;
    info_.without_lanes += lanes == 0 ? 1 : 0;
    ++info_.by_class[static_cast<std::size_t>(classes_[executed.index])];
    const bool load = instruction.kind == OpKind::kLoad || instruction.kind == OpKind::kAsyncCopy;
    const bool global = instruction.space == MemorySpace::kGlobal || instruction.space == MemorySpace::kGeneric;
    if (lanes == 0 || !global || (!load && instruction.kind != OpKind::kStore)) {
      return;
    }
    const LaneAddresses addresses = block.addresses(executed);
    if (addresses.kind == LaneAddresses::Kind::kNone || !is_global(instruction, addresses)) {
      return;
    }
    TrafficInfo& traffic = load ? info_.global_load : info_.global_store;
    ++traffic.requests;
    traffic.sectors += count_sectors(addresses, lanes, instruction.bytes_per_lane);
  }
  bool is_global(const StaticInstruction& instruction, const LaneAddresses& addresses) const {
    const Address first = addresses.of_lane(0);
    return instruction.space == MemorySpace::kGlobal ||
           (!in_window(first, launch_.shared_base) && !in_window(first, launch_.local_base));
  }

  KernelSource& source_;
  const KernelLaunch& launch_;
  const StaticProgram& program_;
  KernelInfo& info_;
  std::vector<InstructionClass> classes_;
};

KernelInfo read_kernel(KernelSource& source, std::uint64_t& total, const std::function<void(std::uint64_t)>& progress) {
  KernelInfo info;
  KernelReader reader(source, info);
  try {
    for (std::uint64_t block = 0; block < source.launch().grid.count(); ++block) {
      const std::uint64_t before = info.instructions;
      reader.read_block(block);
      total += info.instructions - before;
      if (progress) {
        progress(total);
      }
    }
  } catch (const TraceError& error) {
    info.problem = error.what();
  }
  return info;
}

}  // namespace

bool TraceInfo::valid() const {
  return std::ranges::all_of(kernels, [](const KernelInfo& kernel) { return kernel.problem.empty(); });
}

KernelInfo TraceInfo::total() const {
  KernelInfo total;
  for (const KernelInfo& kernel : kernels) {
    total.blocks += kernel.blocks;
    total.warps += kernel.warps;
    total.instructions += kernel.instructions;
    total.thread_instructions += kernel.thread_instructions;
    total.without_lanes += kernel.without_lanes;
    for (std::size_t i = 0; i < total.by_class.size(); ++i) {
      total.by_class[i] += kernel.by_class[i];
    }
    total.global_load.requests += kernel.global_load.requests;
    total.global_load.sectors += kernel.global_load.sectors;
    total.global_store.requests += kernel.global_store.requests;
    total.global_store.sectors += kernel.global_store.sectors;
  }
  return total;
}

std::uint32_t count_sectors(const LaneAddresses& addresses, std::uint32_t lanes, std::uint32_t bytes) {
  if (addresses.kind == LaneAddresses::Kind::kNone || bytes == 0) {
    return 0;
  }
  std::array<Address, std::size_t{2} * kWarpSize> sectors{};
  std::uint32_t count = 0;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const Address address = addresses.of_lane(lane);
    // No access is wider than a sector, so each touches at most two.
    const Address first = address / kSectorBytes;
    const Address last = (address + bytes - 1) / kSectorBytes;
    if (count == 0 || sectors[count - 1] != first) {
      sectors[count++] = first;
    }
    if (last != first) {
      sectors[count++] = last;
    }
  }
  const auto end = sectors.begin() + count;
  std::sort(sectors.begin(), end);
  return static_cast<std::uint32_t>(std::unique(sectors.begin(), end) - sectors.begin());
}

TraceInfo read_trace_info(Workload& workload, const std::function<void(std::uint64_t)>& progress) {
  TraceInfo info;
  info.name = workload.name();
  info.content_hash = workload.content_hash();
  std::uint64_t total = 0;
  std::string last_problem;
  while (true) {
    try {
      std::optional<Command> command = workload.next();
      if (!command) {
        break;
      }
      if (const auto* copy = std::get_if<CopyToDevice>(&*command)) {
        ++info.copies;
        info.copied_bytes += copy->bytes;
      } else {
        info.kernels.push_back(read_kernel(*std::get<std::unique_ptr<KernelSource>>(*command), total, progress));
      }
    } catch (const TraceError& error) {
      if (error.what() == last_problem) {
        break;  // the workload cannot continue
      }
      last_problem = error.what();
      KernelInfo& kernel = info.kernels.emplace_back();
      kernel.launch_index = static_cast<std::uint32_t>(info.kernels.size() - 1);
      kernel.kernel = "(unreadable)";
      kernel.problem = last_problem;
    }
  }
  info.notes = workload.notes();
  return info;
}

}  // namespace warpsim
