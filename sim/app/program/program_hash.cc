#include "app/program/program_hash.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <fstream>
#include <memory>
#include <vector>

namespace warpsim {

std::string program_hash() {
  struct Free {
    void operator()(XXH64_state_t* state) const { XXH64_freeState(state); }
  };
  // Also correct if the file was replaced after the start.
  std::ifstream file("/proc/self/exe", std::ios::binary);
  if (!file) {
    return "";
  }
  const std::unique_ptr<XXH64_state_t, Free> state(XXH64_createState());
  XXH64_reset(state.get(), 0);
  std::vector<char> buffer(1U << 20U);
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || file.gcount() > 0) {
    XXH64_update(state.get(), buffer.data(), static_cast<std::size_t>(file.gcount()));
  }
  return fmt::format("{:016x}", XXH64_digest(state.get()));
}

}  // namespace warpsim
