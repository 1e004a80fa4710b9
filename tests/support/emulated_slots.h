// Executes machine words in the kernel of machine_slots.h on the emulator.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "support/machine_slots.h"

namespace warpsim::test {

// Calls `use` for each word with its number and all results, or without results and with the reason of its refusal.
void execute_slots(std::span<const SlotWord> words,
                   const std::function<void(std::size_t, std::span<const std::uint32_t>, const std::string&)>& use);

}  // namespace warpsim::test
