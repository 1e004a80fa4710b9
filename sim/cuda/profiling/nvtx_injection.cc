#include "cuda/profiling/nvtx_injection.h"

#include <boost/nowide/convert.hpp>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <utility>

#include "cuda/context.h"
#include "cuda/profiling/nvtx_ranges.h"

namespace warpsim::cuda::nvtx {

namespace {

// Handles of the program. 0 is the default domain, or no text.
using Handle = std::uintptr_t;

NvtxRanges& ranges() {
  return process_context().ranges();
}

NvtxRanges::Domain domain_of(Handle handle) {
  return static_cast<NvtxRanges::Domain>(handle);
}

std::string text_of(const char* text) {
  return text == nullptr ? "" : text;
}

std::string text_of(const wchar_t* text) {
  return text == nullptr ? "" : boost::nowide::narrow(text);
}

// Texts that the program has registered, for the whole process. The handle of a text is its number, from 1.
class RegisteredTexts {
 public:
  Handle add(std::string text) {
    const std::lock_guard guard(mutex_);
    texts_.push_back(std::move(text));
    return texts_.size();
  }
  std::string find(Handle handle) {
    const std::lock_guard guard(mutex_);
    return handle == 0 || handle > texts_.size() ? "" : texts_[handle - 1];
  }

 private:
  std::mutex mutex_;
  std::deque<std::string> texts_;
};

RegisteredTexts& registered_texts() {
  static RegisteredTexts texts;
  return texts;
}

std::string text_of(const EventAttributes* attributes) {
  if (attributes == nullptr || attributes->bytes < sizeof(EventAttributes)) {
    return "";
  }
  switch (attributes->message_type) {
    case MessageType::kText:
      return text_of(static_cast<const char*>(attributes->message));
    case MessageType::kWideText:
      return text_of(static_cast<const wchar_t*>(attributes->message));
    case MessageType::kRegistered:
      return registered_texts().find(reinterpret_cast<Handle>(attributes->message));
    case MessageType::kNone:
      break;
  }
  return "";
}

// --- the functions of NVTX, by what names the range ---

template <class Name>
std::uint64_t start(Name name) {
  return ranges().start(0, text_of(name));
}

template <class Name>
int push(Name name) {
  return ranges().push(0, text_of(name));
}

void end(std::uint64_t range) {
  ranges().end(range);
}

int pop() {
  return ranges().pop(0);
}

std::uint64_t start_in(Handle domain, const EventAttributes* attributes) {
  return ranges().start(domain_of(domain), text_of(attributes));
}

void end_in(Handle /*domain*/, std::uint64_t range) {
  ranges().end(range);
}

int push_in(Handle domain, const EventAttributes* attributes) {
  return ranges().push(domain_of(domain), text_of(attributes));
}

int pop_in(Handle domain) {
  return ranges().pop(domain_of(domain));
}

template <class Character>
Handle register_text(Handle /*domain*/, const Character* text) {
  return registered_texts().add(text_of(text));
}

template <class Character>
Handle create_domain(const Character* name) {
  return ranges().create_domain(text_of(name));
}

// The places of the pointers of one module.
class ModulePlaces {
 public:
  ModulePlaces(const CallbacksTable& callbacks, CallbackModule module) {
    has_places_ = callbacks.places_of(module, &places_, &count_) != 0 && places_ != nullptr;
  }
  explicit operator bool() const { return has_places_; }

  template <class Number, class Own>
  void set(Number number, Own* function) const {
    const auto index = static_cast<unsigned>(number);
    if (index < count_ && places_[index] != nullptr) {
      *places_[index] = reinterpret_cast<Function>(function);
    }
  }

 private:
  Place* places_ = nullptr;
  unsigned count_ = 0;
  bool has_places_ = false;
};

void set_core(const ModulePlaces& core) {
  core.set(Core::kRangeStartEx, start<const EventAttributes*>);
  core.set(Core::kRangeStartA, start<const char*>);
  core.set(Core::kRangeStartW, start<const wchar_t*>);
  core.set(Core::kRangeEnd, end);
  core.set(Core::kRangePushEx, push<const EventAttributes*>);
  core.set(Core::kRangePushA, push<const char*>);
  core.set(Core::kRangePushW, push<const wchar_t*>);
  core.set(Core::kRangePop, pop);
}

void set_core2(const ModulePlaces& core2) {
  core2.set(Core2::kDomainRangeStartEx, start_in);
  core2.set(Core2::kDomainRangeEnd, end_in);
  core2.set(Core2::kDomainRangePushEx, push_in);
  core2.set(Core2::kDomainRangePop, pop_in);
  core2.set(Core2::kDomainRegisterStringA, register_text<char>);
  core2.set(Core2::kDomainRegisterStringW, register_text<wchar_t>);
  core2.set(Core2::kDomainCreateA, create_domain<char>);
  core2.set(Core2::kDomainCreateW, create_domain<wchar_t>);
}

}  // namespace

}  // namespace warpsim::cuda::nvtx

int InitializeInjectionNvtx2(warpsim::cuda::nvtx::TableOf table_of) {
  using namespace warpsim::cuda::nvtx;
  const auto* const callbacks =
      table_of == nullptr ? nullptr : static_cast<const CallbacksTable*>(table_of(kCallbacksTable));
  if (callbacks == nullptr || callbacks->bytes < sizeof(CallbacksTable) || callbacks->places_of == nullptr) {
    return 0;
  }
  const ModulePlaces core(*callbacks, CallbackModule::kCore);
  const ModulePlaces core2(*callbacks, CallbackModule::kCore2);
  if (!core) {
    return 0;
  }
  set_core(core);
  if (core2) {
    set_core2(core2);
  }
  return 1;
}
