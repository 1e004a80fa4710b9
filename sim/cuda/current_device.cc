#include "cuda/current_device.h"

#include <vector>

namespace warpsim::cuda {

namespace {

// After the thread's objects have ended, functions of its exit may still call: then only the last device is kept, in
// variables that have no destructor.
thread_local bool ended = false;
thread_local std::optional<std::uint32_t> last;

struct Stack {
  Stack() = default;
  ~Stack() {
    last = devices.empty() ? std::nullopt : std::optional(devices.back());
    ended = true;
  }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;

  std::vector<std::uint32_t> devices;  // the top is last
};

std::vector<std::uint32_t>& stack() {
  static thread_local Stack own;
  return own.devices;
}

}  // namespace

std::uint32_t current_device() {
  return current_context().value_or(0);
}

void use_device(std::uint32_t device) {
  pop_context();
  push_context(device);
}

void push_context(std::uint32_t device) {
  if (ended) {
    last = device;
  } else {
    stack().push_back(device);
  }
}

void enter_primary_context() {
  if (!current_context()) {
    push_context(0);
  }
}

std::optional<std::uint32_t> pop_context() {
  const std::optional<std::uint32_t> top = current_context();
  if (ended) {
    last.reset();
  } else if (top) {
    stack().pop_back();
  }
  return top;
}

std::optional<std::uint32_t> current_context() {
  if (ended) {
    return last;
  }
  return stack().empty() ? std::nullopt : std::optional(stack().back());
}

void forget_devices() {
  last.reset();
  if (!ended) {
    stack().clear();
  }
}

}  // namespace warpsim::cuda
