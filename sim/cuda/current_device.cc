#include "cuda/current_device.h"

#include <vector>

namespace warpsim::cuda {

namespace {

// The top is last.
std::vector<std::uint32_t>& stack() {
  static thread_local std::vector<std::uint32_t> devices;
  return devices;
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
  stack().push_back(device);
}

void enter_primary_context() {
  if (!current_context()) {
    push_context(0);
  }
}

std::optional<std::uint32_t> pop_context() {
  const std::optional<std::uint32_t> top = current_context();
  if (top) {
    stack().pop_back();
  }
  return top;
}

std::optional<std::uint32_t> current_context() {
  return stack().empty() ? std::nullopt : std::optional(stack().back());
}

void forget_devices() {
  stack().clear();
}

}  // namespace warpsim::cuda
