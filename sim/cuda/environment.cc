#include "cuda/environment.h"

#include <cstdlib>
#include <sstream>

#include "base/error.h"

namespace warpsim::cuda {

namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_set(const char* name) {
  const std::string value = variable(name);
  if (!value.empty() && value != "0" && value != "1") {
    throw UserError(std::string(name) + "='" + value + "': 0 or 1 expected");
  }
  return value == "1";
}

}  // namespace

Environment read_environment() {
  Environment environment;
  environment.gpu = variable(kGpuVariable);
  if (environment.gpu.empty()) {
    throw UserError(std::string("the program was linked to warpsim's CUDA libraries, but ") + kGpuVariable +
                    " names no GPU; start it with 'warpsim exec --gpu GPU -- PROGRAM'");
  }
  environment.options.results = variable(kResultsVariable);
  environment.options.run_name = variable(kNameVariable);
  environment.options.command = variable(kCommandVariable);
  environment.options.functional_only = is_set(kFunctionalVariable);
  environment.options.force_target = is_set(kForceTargetVariable);
  std::istringstream overrides(variable(kOverridesVariable));
  for (std::string line; std::getline(overrides, line);) {
    environment.options.overrides.push_back(line);
  }
  return environment;
}

}  // namespace warpsim::cuda
