// Location of programs, constant banks, local memory and page tables in the device's address space, as the caches see
// it: separate windows, far from data, whose addresses have 49 bits. Lines of the instruction and constant caches are
// numbered from the start of their window. Each resident launch has constant banks and local memory of its own, by its
// seat. Each level of page tables has a part of its own (memory/translation/page_tables.h): even entries of 16 bytes
// for pages of 4 KiB of all windows take half of it.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "stats/launch_stats.h"

namespace warpsim {

inline constexpr Address kPageTableWindow = Address{1} << 52;
inline constexpr Address kPageTableLevelBytes = Address{1} << 52;  // of seven levels
inline constexpr Address kCodeWindow = Address{1} << 56;
inline constexpr Address kConstantWindow = Address{1} << 57;
inline constexpr Address kLocalMemoryWindow = Address{1} << 58;
inline constexpr Address kConstantBankBytes = Address{64} * 1024;
inline constexpr Address kConstantBanks = 32;                   // of a launch
inline constexpr Address kLaunchLocalBytes = Address{1} << 48;  // more than the local memory of all warp slots
inline constexpr std::uint32_t kConstantLineBytes = 64;

constexpr std::uint32_t code_line_number(Address address) {
  return static_cast<std::uint32_t>((address - kCodeWindow) / kLineBytes);
}
constexpr Address code_line_address(std::uint32_t number) {
  return kCodeWindow + Address{number} * kLineBytes;
}
constexpr Address constant_address(std::uint32_t bank, std::uint32_t offset, LaunchSeat seat = 0) {
  return kConstantWindow + (seat * kConstantBanks + bank % kConstantBanks) * kConstantBankBytes +
         offset % kConstantBankBytes;
}
constexpr std::uint32_t constant_bank(Address address) {
  return static_cast<std::uint32_t>((address - kConstantWindow) / kConstantBankBytes % kConstantBanks);
}
// Another offset in the bank of an address.
constexpr Address in_constant_bank_of(Address address, Address offset) {
  return address - (address - kConstantWindow) % kConstantBankBytes + offset % kConstantBankBytes;
}
constexpr LaunchSeat constant_seat(Address address) {
  return static_cast<LaunchSeat>((address - kConstantWindow) / (kConstantBanks * kConstantBankBytes));
}
// Local memory of all warp slots for a launch.
constexpr Address local_memory(LaunchSeat seat) {
  return kLocalMemoryWindow + seat * kLaunchLocalBytes;
}
constexpr std::uint32_t constant_line_number(Address address) {
  return static_cast<std::uint32_t>((address - kConstantWindow) / kConstantLineBytes);
}
constexpr Address constant_line_address(std::uint32_t number) {
  return kConstantWindow + Address{number} * kConstantLineBytes;
}

}  // namespace warpsim
