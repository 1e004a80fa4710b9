// An interprocess event: the records that processes have made of it, in memory that they share.
//
// Each record has a number; a wait for the event is for the record that was the latest at that time. A record
// names its process, so that a wait for one of a process that has ended before it was done is noticed. Not modelled:
// time, which each process has for itself. Invariant: a record is forgotten only if it is not pending.
#pragma once

#include <pthread.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>

#include "cuda/ipc/ipc_handles.h"
#include "emulator/memory/shared_pages.h"

namespace warpsim::cuda {

class SharedEvent {
 public:
  enum class State : std::uint8_t { kDone, kPending, kLost };  // lost: it will never be done

  // A new one. Throws std::bad_alloc.
  SharedEvent();
  // One of another process. Fails with kMapFailed if it no longer exists.
  explicit SharedEvent(const SharedEventHandle& handle);
  ~SharedEvent();
  SharedEvent(const SharedEvent&) = delete;
  SharedEvent& operator=(const SharedEvent&) = delete;

  // Fails with kInvalidHandle if it is of another process.
  SharedEventHandle handle() const;

  // The program records it; done when its stream has come so far. Fails with kOutOfMemory if too many records are
  // pending.
  std::uint64_t begin_record();
  void end_record(std::uint64_t number);
  // It will never be done.
  void lose_record(std::uint64_t number);
  // 0: there is none.
  std::uint64_t latest() const;
  State state(std::uint64_t number);

  static constexpr std::size_t kMostRecords = 1024;  // that are pending

 private:
  struct Record {
    std::uint64_t number = 0;
    HandleOwner by;
    State state = State::kDone;
  };
  struct Content {
    std::uint64_t check = 0;
    pthread_mutex_t mutex;
    std::uint64_t latest = 0;
    std::array<Record, kMostRecords> records;
  };
  class Lock;

  void set_state(std::uint64_t number, State state);
  Record& record_of(std::uint64_t number) const { return content_->records[number % kMostRecords]; }
  void map();

  bool is_own_ = false;
  HandleOwner self_;
  SharedPages pages_;
  Content* content_ = nullptr;
  std::chrono::steady_clock::time_point next_look_ = {};  // whether the process of a record still runs
};

}  // namespace warpsim::cuda
