// NVTX's interface between a program and the tool that it loads, in its binary form (version 3 of NVTX, nvtxTypes.h and
// nvToolsExt.h of NVIDIA's toolkit).
//
// The program calls the tool's InitializeInjectionNvtx2() with a function that returns tables. The table of callbacks
// gives, for a module of functions, the places of the pointers to call; the tool writes its own functions there.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpsim::cuda::nvtx {

enum class MessageType : std::int32_t { kNone = 0, kText = 1, kWideText = 2, kRegistered = 3 };

struct EventAttributes {
  std::uint16_t version = 0;
  std::uint16_t bytes = 0;  // of the structure
  std::uint32_t category = 0;
  std::int32_t colour_type = 0;
  std::uint32_t colour = 0;
  std::int32_t payload_type = 0;
  std::int32_t reserved = 0;
  std::uint64_t payload = 0;
  MessageType message_type = MessageType::kNone;
  const void* message = nullptr;  // char*, wchar_t*, or what the tool has returned for a registered text
};
static_assert(sizeof(EventAttributes) == 48);

using Function = void (*)();
using Place = Function*;  // of a pointer to call; null: the program does not have it

enum class CallbackModule : std::int32_t { kCore = 1, kCore2 = 5 };
inline constexpr std::uint32_t kCallbacksTable = 1;

struct CallbacksTable {
  std::size_t bytes = 0;
  // Returns 0 if it has no such module. The places are in the order of the functions' numbers, from 0, which is none.
  int (*places_of)(CallbackModule module, Place** places, unsigned* count) = nullptr;
};
using TableOf = const void* (*)(std::uint32_t table);

// Numbers of functions.
enum class Core : std::uint8_t {
  kRangeStartEx = 4,
  kRangeStartA = 5,
  kRangeStartW = 6,
  kRangeEnd = 7,
  kRangePushEx = 8,
  kRangePushA = 9,
  kRangePushW = 10,
  kRangePop = 11,
};
enum class Core2 : std::uint8_t {
  kDomainRangeStartEx = 2,
  kDomainRangeEnd = 3,
  kDomainRangePushEx = 4,
  kDomainRangePop = 5,
  kDomainRegisterStringA = 10,
  kDomainRegisterStringW = 11,
  kDomainCreateA = 12,
  kDomainCreateW = 13,
};

}  // namespace warpsim::cuda::nvtx
