#include "emulator/host_code/host_code.h"

#include <sys/mman.h>

#include <cstring>

#include "base/host_processor.h"
#include "base/round_up.h"

#if defined(__x86_64__)
#include "emulator/host_code/x86/translator.h"
#endif

namespace warpsim {

#if defined(__x86_64__)

bool HostCode::is_possible() {
  return has_wide_vectors() && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
}

// The code has no addresses of its own: it is made elsewhere and copied.
std::unique_ptr<const HostCode> HostCode::make(const FunctionCode& function) {
  HostTranslator all(function, HostLanes::kAll, 0);
  all.translate();
  HostTranslator any(function, HostLanes::kAny, all.code().windows());
  any.translate();
  std::unique_ptr<HostCode> result(new HostCode);
  result->any_lanes_ = static_cast<std::uint32_t>(round_up(all.code().getSize(), HostEmitter::kChunkBytes));
  result->bytes_ = result->any_lanes_ + any.code().getSize();
  result->windows_ = any.code().windows();
  void* const memory = mmap(nullptr, result->bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return nullptr;
  }
  result->code_ = static_cast<std::byte*>(memory);
  std::memcpy(result->code_, all.code().getCode(), all.code().getSize());
  std::memcpy(result->code_ + result->any_lanes_, any.code().getCode(), any.code().getSize());
  if (mprotect(memory, result->bytes_, PROT_READ | PROT_EXEC) != 0) {
    return nullptr;
  }
  for (std::size_t i = 0; i < all.entries().size(); ++i) {
    result->entries_.push_back({all.entries()[i], any.entries()[i] == 0 ? 0 : result->any_lanes_ + any.entries()[i]});
  }
  return result;
}

std::unique_ptr<const HostCode> HostCode::translate(const FunctionCode& function) {
  if (!is_possible()) {
    return nullptr;
  }
  try {
    return make(function);
  } catch (const Xbyak::Error& error) {
    if (static_cast<int>(error) == Xbyak::ERR_CANT_ALLOC) {
      return nullptr;  // it is executed without
    }
    throw;
  }
}

std::uint32_t HostCode::run(HostRun& run, std::uint32_t operation) const {
  using Function = std::uint32_t (*)(HostRun*, const std::byte*);
  const bool all = run.lanes == kAllLanes;
  const auto function = reinterpret_cast<Function>(code_ + (all ? 0 : any_lanes_));
  return function(&run, code_ + (all ? entries_[operation].all_lanes : entries_[operation].any_lanes));
}

#else

bool HostCode::is_possible() {
  return false;
}
std::unique_ptr<const HostCode> HostCode::translate(const FunctionCode& /*function*/) {
  return nullptr;
}
std::uint32_t HostCode::run(HostRun& /*run*/, std::uint32_t operation) const {
  return operation;
}

#endif

HostCode::~HostCode() {
  if (code_ != nullptr) {
    munmap(code_, bytes_);
  }
}

}  // namespace warpsim
