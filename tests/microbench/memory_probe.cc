#include "microbench/memory_probe.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "isa/sass_decode.h"

namespace warpsim::microbench {
namespace {

constexpr std::uint32_t kArchitecture = 90;

std::string_view take_until(std::string_view& text, std::string_view separators) {
  const std::size_t end = std::min(text.find_first_of(separators), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view{}
                                         : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::uint8_t counter(std::string_view text) {
  return text == "-" ? kNoBarrier : static_cast<std::uint8_t>(text[0] - '0');
}

// "02:1:-:y4:1"
ControlBits read_control(std::string_view text) {
  ControlBits bits;
  const std::string_view waits = take_until(text, ":");
  for (const char digit : waits == "-" ? std::string_view{} : waits) {
    bits.wait_mask = static_cast<std::uint8_t>(bits.wait_mask | 1U << static_cast<unsigned>(digit - '0'));
  }
  bits.write_barrier = counter(take_until(text, ":"));
  bits.read_barrier = counter(take_until(text, ":"));
  bits.yield = text.starts_with('y');
  const std::string_view stall = take_until(text, ":");
  bits.stall_cycles = static_cast<std::uint8_t>(std::stoi(std::string(stall.substr(bits.yield ? 1 : 0))));
  bits.reuse_mask = static_cast<std::uint8_t>(text.empty() ? 0 : std::stoi(std::string(text), nullptr, 16));
  return bits;
}

bool has_addresses(const StaticInstruction& instruction) {
  switch (instruction.kind) {
    case OpKind::kLoad:
    case OpKind::kStore:
    case OpKind::kAtomic:
    case OpKind::kReduction:
    case OpKind::kAsyncCopy:
      return instruction.space != MemorySpace::kConstant;
    default:
      return false;
  }
}

}  // namespace

Listing::Listing(std::string_view text, std::string_view variant) : program_(std::make_shared<StaticProgram>()) {
  program_->function = "microbenchmark";
  program_->architecture = kArchitecture;
  program_->has_listing = true;
  program_->has_control = true;
  std::string filled(text);
  for (std::size_t at = filled.find("@@"); at != std::string::npos; at = filled.find("@@", at)) {
    filled.replace(at, 2, variant);
  }
  std::string_view rest = filled;
  while (!rest.empty()) {
    const std::string_view line = trim(take_until(rest, "\n"));
    if (!line.empty()) {
      add_line(line);
    }
  }
}

void Listing::add_line(std::string_view line) {
  const auto index = static_cast<std::uint32_t>(program_->instructions.size());
  if (line.ends_with(':')) {
    open_ = line.substr(0, line.size() - 1);
    sections_[open_] = {index, index};
    return;
  }
  StaticInstruction instruction;
  const ControlBits control = read_control(take_until(line, " \t"));
  line = trim(line);
  Mark mark;
  if (line.starts_with("! ")) {
    mark.off = true;
    line = trim(line.substr(2));
  }
  decode_sass(line, kArchitecture, program_->opcodes, instruction);
  SIM_CHECK(instruction.known_opcode, "unknown opcode in " + std::string(line));
  instruction.pc = index * program_->instruction_bytes;
  instruction.has_control = true;
  instruction.control = control;
  mark.clock = line.find("SR_CLOCKLO") != std::string_view::npos && !mark.off;
  mark.access = has_addresses(instruction) && !mark.off;
  program_->instructions.push_back(instruction);
  marks_.push_back(mark);
  sections_.at(open_).end = index + 1;
}

WarpPath::WarpPath(const Kernel& kernel, std::uint64_t block, std::uint32_t warp, AddressPool& pool)
    : block_(block), warp_(warp), listing_(*kernel.listing), lanes_(kernel.lanes), moved_(kernel.moved), pool_(pool) {}

void WarpPath::run(const std::string& section, const AddressOf& address_of) {
  const Listing::Section& range = listing_.section(section);
  std::uint32_t access = 0;
  for (std::uint32_t index = range.first; index < range.end; ++index) {
    WarpInstruction instruction{index, listing_.is_off(index) ? 0 : lanes_, WarpInstruction::kNoAddresses, 0};
    if (listing_.is_access(index)) {
      const Lanes lanes = address_of(access++);
      const bool global = listing_.program()->instructions[index].space != MemorySpace::kShared;
      instruction.addresses = pool_.add_strided(lanes.base + (global ? moved_ : 0), lanes.stride);
    }
    instructions_.push_back(instruction);
  }
}

// Gives each warp its instructions up to the next clock, so that the next refill shows when it was read.
class ProbeBlock final : public BlockSource {
 public:
  ProbeBlock(const Kernel& kernel, std::uint64_t block, std::vector<std::vector<Cycle>>& clocks)
      : listing_(*kernel.listing), clocks_(clocks), given_(kernel.warps, 0) {
    for (std::uint32_t warp = 0; warp < kernel.warps; ++warp) {
      WarpPath path(kernel, block, warp, pool_);
      kernel.path(path);
      paths_.push_back(path.take());
    }
  }

  std::uint32_t warp_count() const override { return static_cast<std::uint32_t>(paths_.size()); }

  void refill(WarpStream& stream, Cycle now) override {
    const std::vector<WarpInstruction>& path = paths_[stream.warp];
    std::size_t& given = given_[stream.warp];
    if (given > 0 && listing_.is_clock(path[given - 1].index)) {
      clocks_[stream.warp].push_back(now);
    }
    stream.next = path.data() + given;
    while (given < path.size() && !listing_.is_clock(path[given].index)) {
      ++given;
    }
    given = std::min(given + 1, path.size());
    stream.end = path.data() + given;
    stream.finished = stream.next == stream.end;
  }

  LaneAddresses addresses(const WarpInstruction& instruction) const override {
    return instruction.addresses == WarpInstruction::kNoAddresses ? LaneAddresses{} : pool_.at(instruction.addresses);
  }

 private:
  const Listing& listing_;
  std::vector<std::vector<Cycle>>& clocks_;
  AddressPool pool_;
  std::vector<std::vector<WarpInstruction>> paths_;
  std::vector<std::size_t> given_;
};

namespace {

class ProbeKernel final : public KernelSource {
 public:
  explicit ProbeKernel(const Kernel& kernel)
      : kernel_(kernel), clocks_(kernel.blocks, std::vector<std::vector<Cycle>>(kernel.warps)) {
    launch_.kernel = "microbenchmark";
    launch_.grid = {kernel.blocks, 1, 1};
    launch_.block = {kernel.warps * kWarpSize, 1, 1};
    launch_.registers_per_thread = kernel.registers;
    launch_.shared_bytes = kernel.shared_bytes;
    launch_.program = kernel.listing->program();
  }
  const KernelLaunch& launch() const override { return launch_; }
  std::unique_ptr<BlockSource> start_block(std::uint64_t block, std::uint32_t /*sm*/) override {
    return std::make_unique<ProbeBlock>(kernel_, block, clocks_[block]);
  }
  Clocks take_clocks() { return std::move(clocks_); }

 private:
  const Kernel& kernel_;
  KernelLaunch launch_;
  Clocks clocks_;
};

// Instructions executed by SM.
class WorkOfSms : public StatVisitor {
 public:
  void counter(const std::string& kind, const std::string& path, const NamedCounter& counter) override {
    if (kind == "sm.sub_core" && std::string_view(counter.name()) == "inst_executed") {
      const std::size_t number = path.find("sm[") + 3;
      sums[static_cast<std::uint32_t>(std::stoul(path.substr(number)))] += counter.value();
    }
  }
  void histogram(const std::string&, const std::string&, const Histogram&) override {}
  std::map<std::uint32_t, std::uint64_t> sums;
};

}  // namespace

double span(const std::vector<std::vector<Cycle>>& block, std::size_t from, std::size_t to) {
  Cycle first = kNever;
  Cycle last = 0;
  for (const std::vector<Cycle>& warp : block) {
    first = std::min(first, warp.at(from));
    last = std::max(last, warp.at(to));
  }
  return static_cast<double>(last - first);
}

double least_time(const std::vector<Cycle>& clocks) {
  Cycle least = kNever;
  for (std::size_t i = 0; i + 1 < clocks.size(); i += 2) {
    least = std::min(least, clocks[i + 1] - clocks[i]);
  }
  return static_cast<double>(least);
}

double longest(const Clocks& clocks, std::size_t from, std::size_t to) {
  Cycle result = 0;
  for (const std::vector<std::vector<Cycle>>& block : clocks) {
    result = std::max(result, block[0].at(to) - block[0].at(from));
  }
  return static_cast<double>(result);
}

ProbeMachine::ProbeMachine(const GpuConfig& config)
    : gpu_(std::make_unique<Machine>(config, MachineOptions{.flush_before_launch = false})) {}

Clocks ProbeMachine::run(const Kernel& kernel) {
  ProbeKernel source(kernel);
  duration_ns_ = gpu_->run(source).duration_ns;
  return source.take_clocks();
}

Clocks ProbeMachine::run_warm(const Kernel& kernel) {
  constexpr Address kElsewhere = Address{1} << 38U;
  Kernel rehearsal = kernel;
  rehearsal.moved = kElsewhere;
  run(rehearsal);
  return run(kernel);
}

std::vector<std::uint32_t> ProbeMachine::sms_by_work() const {
  WorkOfSms work;
  visit(gpu_->stats(), work);
  std::vector<std::uint32_t> sms;
  for (const auto& [sm, sum] : work.sums) {
    if (sum > 0) {
      sms.push_back(sm);
    }
  }
  std::ranges::sort(sms, [&work](std::uint32_t a, std::uint32_t b) { return work.sums[a] < work.sums[b]; });
  return sms;
}

void ProbeMachine::write(Address first, std::uint64_t stride, std::uint64_t count) {
  // Like m_build: 512 blocks of 256 threads, each thread every 131072th word of 8 bytes.
  sweep({512, 8}, "STG.E.64 desc[UR6][R2.64], R4", {first, static_cast<std::int64_t>(stride)}, count);
}

void ProbeMachine::write_each(std::uint64_t count, const std::function<Address(std::uint64_t)>& at) {
  Kernel kernel;
  kernel.listing = std::make_shared<Listing>("once:\n -:-:0:2 STG.E.64 desc[UR6][R2.64], R4\nend:\n 0:-:-:5 EXIT");
  kernel.blocks = 16;
  kernel.lanes = 1;
  kernel.path = [&](WarpPath& path) {
    for (std::uint64_t i = path.block(); i < count; i += kernel.blocks) {
      path.run("once", [&](std::uint32_t) { return Lanes{at(i), 0}; });
    }
    path.run("end");
  };
  run(kernel);
}

void ProbeMachine::read(Address first, std::uint64_t bytes) {
  // Like m_touch: the first word of each 16 bytes, around L1.
  sweep({132, 16}, "LDG.E.STRONG.GPU R3, desc[UR6][R2.64]", {first, 16}, bytes / 16);
}

void ProbeMachine::sweep(const Crowd& crowd, const std::string& access, const Lanes& lanes, std::uint64_t count) {
  const std::string text = "once:\n -:-:0:2 " + access + "\n 0:-:-:5 BRA 0x0\nend:\n -:-:-:5 EXIT";
  const std::uint64_t all = std::uint64_t{crowd.blocks} * crowd.warps;
  const std::uint64_t requests = (count + kWarpSize - 1) / kWarpSize;
  Kernel kernel;
  kernel.listing = std::make_shared<Listing>(text);
  kernel.blocks = static_cast<std::uint32_t>(std::min<std::uint64_t>(crowd.blocks, requests));
  kernel.warps = crowd.warps;
  kernel.path = [&](WarpPath& path) {
    for (std::uint64_t request = path.block() * crowd.warps + path.warp(); request < requests; request += all) {
      const auto start = static_cast<std::int64_t>(request) * kWarpSize * lanes.stride;
      path.run("once", [&](std::uint32_t) { return Lanes{lanes.base + static_cast<Address>(start), lanes.stride}; });
    }
    path.run("end");
  };
  run(kernel);
}

}  // namespace warpsim::microbench
