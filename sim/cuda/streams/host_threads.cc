#include "cuda/streams/host_threads.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <thread>
#include <utility>

#include "base/program_threads.h"

namespace warpsim::cuda {

namespace {

constexpr std::chrono::microseconds kStep{20};

}  // namespace

// --- the list ---

// The system's storage of a thread is freed after the thread's objects: functions that end them may call as well. The
// main thread keeps its entries to the end of the process, whose functions of the exit make calls.
HostThreads::Entries& HostThreads::own_entries() {
  static const pthread_key_t key = [] {
    pthread_key_t created = 0;
    const int error = pthread_key_create(&created, [](void* of_ended) {
      const std::unique_ptr<Entries> entries(static_cast<Entries*>(of_ended));
      for (const auto& [list, thread] : *entries) {
        thread->ended = true;
      }
    });
    if (error != 0) {
      throw std::system_error(error, std::generic_category(), "storage of the threads of a program");
    }
    return created;
  }();
  if (void* const entries = pthread_getspecific(key); entries != nullptr) {
    return *static_cast<Entries*>(entries);
  }
  auto entries = std::make_unique<Entries>();
  if (const int error = pthread_setspecific(key, entries.get()); error != 0) {
    throw std::system_error(error, std::generic_category(), "storage of a thread of a program");
  }
  return *entries.release();
}

HostThreads::Thread& HostThreads::own() {
  Entries& entries = own_entries();
  std::shared_ptr<Thread>& entry = entries[this];
  if (entry == nullptr) {
    entry = std::make_shared<Thread>();
    entry->number = gettid();
    const std::lock_guard lock(mutex_);
    threads_.push_back(entry);
  }
  return *entry;
}

bool HostThreads::others_are_quiet(bool patient) {
  const Thread& self = own();
  const std::lock_guard lock(mutex_);
  std::erase_if(threads_, [](const auto& thread) { return thread->ended.load(); });
  return std::ranges::all_of(threads_, [&](const std::shared_ptr<Thread>& thread) {
    if (thread.get() == &self || thread->state == State::kWaiting) {
      return true;
    }
    if (thread->state == State::kCalling) {
      return false;  // it waits for the mutex
    }
    const std::uint64_t calls = thread->calls;
    if (thread->not_awaited == calls || is_asleep(thread->number)) {
      return true;
    }
    if (!patient) {
      thread->not_awaited = calls;
    }
    return false;
  });
}

// --- calls ---

HostThreads::Call::Call(HostThreads& threads) : threads_(threads), self_(threads.own()) {
  if (self_.depth++ == 0) {
    ++self_.calls;
    self_.state = State::kCalling;
    ++threads_.arriving_;
    threads_.calls_.lock();
    --threads_.arriving_;
  } else {
    threads_.calls_.lock();
  }
}

HostThreads::Call::~Call() {
  if (--self_.depth == 0) {
    self_.state = State::kOutside;
  }
  threads_.calls_.unlock();
}

// --- waits ---

HostThreads::Wait::Wait(HostThreads& threads)
    : threads_(threads), self_(threads.own()), begin_(std::chrono::steady_clock::now()) {
  self_.state = State::kWaiting;
}

HostThreads::Wait::~Wait() {
  threads_.time_goes_on_ = false;
  self_.state = State::kCalling;
}

// If time went on and the wait was still interrupted, it is another thread's turn.
void HostThreads::Wait::interrupted() {
  const auto are_quiet = [this] {
    return threads_.others_are_quiet(std::chrono::steady_clock::now() - begin_ < threads_.patience_);
  };
  if (std::exchange(threads_.time_goes_on_, false) || !are_quiet()) {
    threads_.calls_.unlock();
    std::this_thread::sleep_for(kStep);
    threads_.calls_.lock();
    return;
  }
  threads_.time_goes_on_ = true;
}

}  // namespace warpsim::cuda
