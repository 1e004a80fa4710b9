#include "cuda/code/code_choice.h"

#include <fmt/format.h>

#include "base/error.h"

namespace warpsim::cuda {

CodeChoice code_choice_of(std::string_view word, std::string_view what) {
  if (word.empty()) {
    return CodeChoice::kAny;
  }
  if (word == "ptx") {
    return CodeChoice::kPtx;
  }
  if (word == "machine") {
    return CodeChoice::kMachine;
  }
  throw UserError(fmt::format("{}='{}': expected 'ptx' or 'machine'", what, word));
}

}  // namespace warpsim::cuda
