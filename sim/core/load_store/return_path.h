// The return path of loads, asynchronous copies and atomics in global and local memory: which of them wait for data,
// and when their results have been written.
//
// Modelled: results written when the last part has arrived, pass by pass through the data banks; data of atomics also
// take the stage. Not modelled: the order of the registers. Evidence: measured latencies named in the H200 config;
// microbenchmarks mlp and cpasync.
// State: the instructions that wait. Uses the passes, events and counters; the global-memory path uses it.
// Invariant: each instruction that began posts one kResultWritten, after all of its lines have been sent.
#pragma once

#include <cstdint>

#include "base/slot_pool.h"
#include "base/types.h"
#include "core/load_store/data_passes.h"
#include "core/load_store/load_store_config.h"
#include "core/load_store/load_store_stats.h"
#include "core/load_store/memory_instruction.h"
#include "core/sm/sm_event.h"
#include "memory/caches/l1_cache.h"
#include "memory/mem_message.h"

namespace warpsim {

class ReturnPath {
 public:
  // Passes, events and counters must outlive the path.
  ReturnPath(const LoadStoreConfig& config, const L1Config& l1, DataPasses& passes, SmEvents& events,
             LaunchStats<LoadStoreStats>& stats);

  // An instruction begins to look up its lines. Returns its number here.
  std::uint32_t begin(const MemoryInstruction& instruction) { return waiting_.take({.instruction = instruction}); }
  // It waits for more parts: loads for lines, atomics for sectors.
  void expect(std::uint32_t number, std::uint32_t parts) { waiting_[number].parts += parts; }
  // It holds a line of L1 until it has all parts.
  void hold_line(std::uint32_t number) { ++waiting_[number].held_lines; }
  std::uint32_t held_lines(std::uint32_t number) const { return waiting_[number].held_lines; }

  struct Return {
    std::uint32_t passes = 0;           // when all parts have arrived
    std::uint32_t hand_out_cycles = 0;  // minimum from the first data to the last register
    std::uint32_t behind_cycles = 0;    // after the data have arrived, for the units behind L1
    Cycle earliest = 0;                 // of the result
  };
  // It has sent all requests. Returns false if it waits for none any more: then complete() is due.
  bool all_sent(std::uint32_t number, const Return& back);
  // It takes its data from L1, from cycle `first_data` on.
  void complete(std::uint32_t number, Cycle first_data);
  // What an instruction that has all parts gives back.
  struct Finished {
    std::uint32_t passes = 0;      // of the stage, that the result of an atomic takes
    std::uint32_t held_lines = 0;  // of L1
  };
  // Parts arrive from memory.
  Finished arrived(std::uint32_t number, std::uint32_t parts, ServedBy served_by, Cycle now);

 private:
  struct Waiting {
    MemoryInstruction instruction;
    std::uint32_t parts = 0;
    std::uint32_t held_lines = 0;
    Return back = {};
    Cycle first_part = kNever;  // when the first sector arrived
    bool all_lines_sent = false;
    ServedBy served_by = ServedBy::kNone;
  };

  void finish(std::uint32_t number, Cycle data_done);

  std::uint32_t copy_through_l1_cycles_;
  std::uint32_t fill_latency_cycles_;
  DataPasses* passes_;
  SmEvents* events_;
  LaunchStats<LoadStoreStats>* stats_;
  SlotPool<Waiting> waiting_;
};

}  // namespace warpsim
