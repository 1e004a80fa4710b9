#include "cuda/ipc/shared_event.h"

#include <sys/mman.h>

#include <cerrno>
#include <new>

#include "cuda/device/error_codes.h"

namespace warpsim::cuda {

namespace {

constexpr std::chrono::milliseconds kBetweenLooks{20};

}  // namespace

// If the process that held the mutex has ended, what it protects is still usable: its last step writes `latest`.
class SharedEvent::Lock {
 public:
  explicit Lock(pthread_mutex_t& mutex) : mutex_(mutex) {
    if (pthread_mutex_lock(&mutex_) == EOWNERDEAD) {
      pthread_mutex_consistent(&mutex_);
    }
  }
  ~Lock() { pthread_mutex_unlock(&mutex_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  pthread_mutex_t& mutex_;
};

SharedEvent::SharedEvent() : is_own_(true), self_(this_owner()), pages_(sizeof(Content)) {
  map();
  new (content_) Content();
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&content_->mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
  content_->check = random_check();
}

SharedEvent::SharedEvent(const SharedEventHandle& handle)
    : self_(this_owner()), pages_(open_pages(handle.owner, handle.descriptor)) {
  constexpr const char* kGone = "an event of another process is opened that does not exist any more";
  if (pages_.bytes() < sizeof(Content)) {
    throw CallError(kMapFailed, kGone);
  }
  map();
  if (content_->check != handle.check) {
    munmap(content_, pages_.bytes());
    throw CallError(kMapFailed, kGone);
  }
}

SharedEvent::~SharedEvent() {
  munmap(content_, pages_.bytes());
}

void SharedEvent::map() {
  std::byte* const mapped = pages_.map(nullptr, 0, pages_.bytes());
  if (mapped == nullptr) {
    throw std::bad_alloc();
  }
  content_ = reinterpret_cast<Content*>(mapped);
}

SharedEventHandle SharedEvent::handle() const {
  if (!is_own_) {
    throw CallError(kInvalidHandle, "a handle is requested of an event of another process");
  }
  return {self_, content_->check, pages_.descriptor()};
}

std::uint64_t SharedEvent::begin_record() {
  const Lock lock(content_->mutex);
  const std::uint64_t number = content_->latest + 1;
  Record& record = record_of(number);
  if (record.state == State::kPending && is_running(record.by)) {
    throw CallError(kOutOfMemory, "too many records of an interprocess event are not done");
  }
  record = {number, self_, State::kPending};
  content_->latest = number;
  return number;
}

void SharedEvent::end_record(std::uint64_t number) {
  set_state(number, State::kDone);
}

void SharedEvent::lose_record(std::uint64_t number) {
  set_state(number, State::kLost);
}

void SharedEvent::set_state(std::uint64_t number, State state) {
  const Lock lock(content_->mutex);
  if (Record& record = record_of(number); record.number == number) {
    record.state = state;
  }
}

std::uint64_t SharedEvent::latest() const {
  const Lock lock(content_->mutex);
  return content_->latest;
}

SharedEvent::State SharedEvent::state(std::uint64_t number) {
  const Lock lock(content_->mutex);
  Record& record = record_of(number);
  if (number == 0 || record.number != number) {
    return State::kDone;
  }
  const auto now = std::chrono::steady_clock::now();
  if (record.state == State::kPending && record.by.process != self_.process && now >= next_look_) {
    next_look_ = now + kBetweenLooks;
    record.state = is_running(record.by) ? State::kPending : State::kLost;
  }
  return record.state;
}

}  // namespace warpsim::cuda
