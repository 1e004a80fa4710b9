#include "app/program/program_hash.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <fstream>
#include <memory>
#include <vector>

namespace warpsim {

std::string program_hash() {
  struct Free {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  // Also correct if the file was replaced after the start.
  std::ifstream file("/proc/self/exe", std::ios::binary);
  if (!file) {
    return "";
  }
  const std::unique_ptr<XXH3_state_t, Free> state(XXH3_createState());
  XXH3_64bits_reset(state.get());
  std::vector<char> buffer(1U << 20U);
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || file.gcount() > 0) {
    XXH3_64bits_update(state.get(), buffer.data(), static_cast<std::size_t>(file.gcount()));
  }
  return fmt::format("{:016x}", XXH3_64bits_digest(state.get()));
}

}  // namespace warpsim
