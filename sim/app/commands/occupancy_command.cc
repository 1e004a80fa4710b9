#include "app/commands/occupancy_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/exit_codes.h"
#include "app/text_format.h"
#include "base/error.h"
#include "base/types.h"
#include "config/config_tree.h"
#include "config/gpu_files.h"
#include "core/gpu/gpu_config.h"

namespace warpsim {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kKib = 1024;

// A word for scripts.
const char* word(OccupancyLimiter limiter) {
  return limiter == OccupancyLimiter::kShared ? "shared" : to_string(limiter);
}

std::string limiters_text(const Occupancy& occupancy) {
  std::vector<std::string> words;
  for (const OccupancyLimiter limiter : occupancy.limiters) {
    words.emplace_back(word(limiter));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string percent(double share) {
  return fmt::format("{:.2f} %", 100 * share);
}

// One GPU and the carve-out of the computation.
struct Question {
  GpuConfig gpu;
  std::uint32_t carveout_kib = 0;

  const OccupancyConfig& limits() const { return gpu.occupancy; }
  Occupancy answer(const BlockNeeds& needs) const { return compute_occupancy(limits(), needs, carveout_kib); }
  double share(const Occupancy& occupancy) const { return occupancy.theoretical(limits()); }
};

Question make_question(const OccupancyOptions& options) {
  Question question;
  question.gpu = ConfigTree::load(find_gpu_file(options.gpu), options.overrides).read<GpuConfig>();
  const std::uint32_t largest = question.limits().carveout_kib.back();
  question.carveout_kib = options.carveout_kib.value_or(largest);
  if (question.carveout_kib > largest) {
    throw UsageError(fmt::format("--carveout '{}': {} has at most {} KiB of shared memory per SM",
                                 *options.carveout_kib, question.gpu.name, largest));
  }
  return question;
}

Json limit_json(std::uint32_t blocks) {
  return blocks == Occupancy::kNoLimit ? Json(nullptr) : Json(blocks);
}

Json answer_json(const Question& question, const BlockNeeds& needs) {
  const Occupancy o = question.answer(needs);
  Json json;
  json["threads"] = needs.threads;
  json["registers"] = needs.registers_per_thread;
  json["shared"] = needs.shared_bytes;
  json["blocks_per_sm"] = o.blocks_per_sm;
  json["warps_per_sm"] = o.blocks_per_sm * o.warps_per_block;
  json["occupancy"] = question.share(o);
  json["limiters"] = Json::array();
  for (const OccupancyLimiter limiter : o.limiters) {
    json["limiters"].push_back(word(limiter));
  }
  if (!o.reason.empty()) {
    json["reason"] = o.reason;
  }
  return json;
}

Json one_json(const Question& question, const BlockNeeds& needs) {
  const Occupancy o = question.answer(needs);
  Json json;
  json["gpu"] = question.gpu.name;
  json["compute_capability"] = question.gpu.compute_capability;
  json.update(answer_json(question, needs));
  json["limits"] = {{"warps", o.limit_warps},
                    {"blocks", o.limit_blocks},
                    {"registers", limit_json(o.limit_registers)},
                    {"shared", limit_json(o.limit_shared)},
                    {"barriers", limit_json(o.limit_barriers)}};
  json["allocated"] = {{"registers_per_block", o.registers_per_block},
                       {"shared_bytes_per_block", o.shared_bytes_per_block}};
  json["shared_kib_per_sm"] = o.carveout_bytes / kKib;
  const std::uint32_t best = suggested_block_threads(question.limits(), needs, question.carveout_kib);
  json["suggested_threads"] = best;
  BlockNeeds suggested = needs;
  suggested.threads = best;
  json["suggested_occupancy"] = best == 0 ? 0 : question.share(question.answer(suggested));
  return json;
}

std::string limit_text(std::uint32_t blocks) {
  return blocks == Occupancy::kNoLimit ? "-" : std::to_string(blocks);
}

// Each resource: amount per block, amount per SM, and resulting number of blocks.
std::string resources_table(const Question& question, const Occupancy& o) {
  const OccupancyConfig& limits = question.limits();
  TextTable table(
      {{"resource", Align::kLeft}, {"per block", Align::kRight}, {"per SM", Align::kRight}, {"blocks", Align::kRight}});
  table.add(
      {"warps", std::to_string(o.warps_per_block), std::to_string(limits.warps_per_sm), limit_text(o.limit_warps)});
  table.add({"block slots", "1", std::to_string(limits.blocks_per_sm), limit_text(o.limit_blocks)});
  table.add(
      {"registers", grouped(o.registers_per_block), grouped(limits.registers_per_sm), limit_text(o.limit_registers)});
  table.add({"shared memory, bytes", grouped(o.shared_bytes_per_block), grouped(o.carveout_bytes),
             limit_text(o.limit_shared)});
  if (o.limit_barriers != Occupancy::kNoLimit) {
    table.add({"barriers", "", std::to_string(limits.barriers_per_sm), limit_text(o.limit_barriers)});
  }
  return table.render();
}

std::string suggestion_text(const Question& question, const BlockNeeds& needs) {
  BlockNeeds suggested = needs;
  suggested.threads = suggested_block_threads(question.limits(), needs, question.carveout_kib);
  if (suggested.threads == 0) {
    return "no block size can run with these registers and this shared memory\n";
  }
  const Occupancy o = question.answer(suggested);
  return fmt::format("highest occupancy: {} with blocks of {} threads ({} per SM)\n", percent(question.share(o)),
                     suggested.threads, o.blocks_per_sm);
}

void print_one(const Question& question, const BlockNeeds& needs, std::ostream& out) {
  const Occupancy o = question.answer(needs);
  out << fmt::format("{} (compute capability {}): {} threads, {} registers, {} bytes of shared memory\n\n",
                     question.gpu.name, question.gpu.compute_capability, needs.threads, needs.registers_per_thread,
                     grouped(needs.shared_bytes));
  out << fmt::format("{} blocks per SM, {} of {} warps, {} occupancy\n", o.blocks_per_sm,
                     o.blocks_per_sm * o.warps_per_block, question.limits().warps_per_sm, percent(question.share(o)));
  out << (o.reason.empty() ? "limited by " + limiters_text(o) : "cannot run: " + o.reason) << "\n\n";
  out << resources_table(question, o) << "\n" << suggestion_text(question, needs);
}

// The values of a sweep: those at which the result can change, in steps that keep the curve short.
std::vector<BlockNeeds> sweep(const Question& question, const OccupancyOptions& options) {
  const OccupancyConfig& limits = question.limits();
  std::uint32_t BlockNeeds::*field = &BlockNeeds::threads;
  std::uint32_t step = kWarpSize;
  std::uint32_t first = step;
  std::uint32_t last = limits.threads_per_block;
  if (options.sweep == OccupancySweep::kRegisters) {
    field = &BlockNeeds::registers_per_thread;
    step = limits.register_allocation == RegisterAllocation::kWarp
               ? std::max(limits.register_allocation_unit / kWarpSize, 1U)
               : 1;
    first = step;
    last = limits.registers_per_thread;
  } else if (options.sweep == OccupancySweep::kShared) {
    field = &BlockNeeds::shared_bytes;
    step = kKib;
    first = 0;
    last = limits.shared_bytes_per_block;
  }
  std::vector<BlockNeeds> points;
  for (std::uint32_t value = first; value <= last; value += step) {
    points.push_back(options.needs);
    points.back().*field = value;
  }
  if (points.back().*field < last) {
    points.push_back(options.needs);
    points.back().*field = last;
  }
  return points;
}

std::string sweep_table(const Question& question, const std::vector<BlockNeeds>& points) {
  TextTable table({{"threads", Align::kRight},
                   {"registers", Align::kRight},
                   {"shared B", Align::kRight},
                   {"blocks", Align::kRight},
                   {"warps", Align::kRight},
                   {"occupancy", Align::kRight},
                   {"", Align::kLeft},
                   {"limited by", Align::kLeft}});
  constexpr double kBarWidth = 32;
  for (const BlockNeeds& needs : points) {
    const Occupancy o = question.answer(needs);
    const double share = question.share(o);
    table.add({std::to_string(needs.threads), std::to_string(needs.registers_per_thread), grouped(needs.shared_bytes),
               std::to_string(o.blocks_per_sm), std::to_string(o.blocks_per_sm * o.warps_per_block), percent(share),
               std::string(static_cast<std::size_t>(share * kBarWidth), '#'),
               o.reason.empty() ? limiters_text(o) : o.reason});
  }
  return table.render();
}

}  // namespace

int occupancy_command(const OccupancyOptions& options, std::ostream& out) {
  const Question question = make_question(options);
  constexpr int kIndent = 2;
  if (options.sweep == OccupancySweep::kNone) {
    if (options.json) {
      out << one_json(question, options.needs).dump(kIndent) << "\n";
    } else {
      print_one(question, options.needs, out);
    }
    return kExitDone;
  }
  const std::vector<BlockNeeds> points = sweep(question, options);
  if (options.json) {
    Json list = Json::array();
    for (const BlockNeeds& needs : points) {
      list.push_back(answer_json(question, needs));
    }
    out << list.dump(kIndent) << "\n";
    return kExitDone;
  }
  out << question.gpu.name << " (compute capability " << question.gpu.compute_capability << ")\n\n"
      << sweep_table(question, points);
  if (options.sweep != OccupancySweep::kThreads) {
    return kExitDone;
  }
  out << "\n" << suggestion_text(question, options.needs);
  return kExitDone;
}

}  // namespace warpsim
