// The C interface of warpsim/simulator.h.
#include "warpsim/simulator.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>

#include "app/library/library_run.h"

namespace {

using warpsim::LibraryLaunch;
using warpsim::LibraryRun;
using warpsim::LibraryRunEnd;

// What a user's pointer is to.
const LibraryLaunch& launch_of(const warpsim_launch* pointer) {
  return *reinterpret_cast<const LibraryLaunch*>(pointer);
}

void copy_message(const std::string& text, char* message, std::size_t bytes) {
  if (message != nullptr && bytes != 0) {
    const std::size_t length = std::min(text.size(), bytes - 1);
    std::memcpy(message, text.data(), length);
    message[length] = 0;
  }
}

std::function<bool(const LibraryLaunch&)> as_function(warpsim_callback callback, void* user) {
  if (callback == nullptr) {
    return {};
  }
  return [callback, user](const LibraryLaunch& launch) {
    return callback(user, reinterpret_cast<const warpsim_launch*>(&launch)) == 0;
  };
}

LibraryRun run_of(const char* gpu, const char* trace, const warpsim_run_options* options) {
  if (gpu == nullptr || trace == nullptr) {
    throw std::invalid_argument("gpu and trace must be given");
  }
  LibraryRun run;
  run.gpu = gpu;
  run.trace = trace;
  if (options == nullptr) {
    return run;
  }
  // Programs that were compiled before an option existed pass a smaller struct.
  constexpr std::size_t kLeastBytes = offsetof(warpsim_run_options, launch_file);
  if (options->version != WARPSIM_SIMULATOR_VERSION || options->bytes < kLeastBytes) {
    throw std::invalid_argument("the options are of version " + std::to_string(options->version) + " with " +
                                std::to_string(options->bytes) + " bytes, expected version " +
                                std::to_string(WARPSIM_SIMULATOR_VERSION) + " with at least " +
                                std::to_string(kLeastBytes));
  }
  if (options->bytes >= sizeof(warpsim_run_options) && options->launch_file != nullptr) {
    run.launch_file = options->launch_file;
  }
  for (std::size_t i = 0; i < options->setting_count; ++i) {
    if (options->settings == nullptr || options->settings[i] == nullptr) {
      throw std::invalid_argument("setting " + std::to_string(i) + " is a null pointer");
    }
    run.settings.emplace_back(options->settings[i]);
  }
  run.threads = std::max(options->threads, 1U);
  run.keep_caches = options->keep_caches != 0;
  run.max_cycles = options->max_cycles;
  run.sample_interval = options->sample_interval_cycles;
  run.launch_done = as_function(options->launch_done, options->user);
  run.sample = as_function(options->sample, options->user);
  return run;
}

template <typename Value>
const char* name_at(const std::vector<LibraryLaunch::Named<Value>>& list, std::size_t number) {
  return number < list.size() ? list[number].name.c_str() : nullptr;
}

template <typename Value>
int give(const std::optional<Value>& found, Value* value) {
  if (!found) {
    return 1;
  }
  *value = *found;
  return 0;
}

}  // namespace

int warpsim_run(const char* gpu, const char* trace, const warpsim_run_options* options, char* message,
                size_t message_bytes) {
  copy_message("", message, message_bytes);
  try {
    switch (run_in_library(run_of(gpu, trace, options))) {
      case LibraryRunEnd::kComplete:
        return WARPSIM_COMPLETE;
      case LibraryRunEnd::kStopped:
        return WARPSIM_STOPPED;
      case LibraryRunEnd::kLimited:
        return WARPSIM_LIMITED;
    }
  } catch (const std::exception& error) {
    copy_message(error.what(), message, message_bytes);
  }
  return WARPSIM_ERROR;
}

uint32_t warpsim_simulator_version(void) {
  return WARPSIM_SIMULATOR_VERSION;
}
uint32_t warpsim_launch_index(const warpsim_launch* launch) {
  return launch_of(launch).index();
}
const char* warpsim_launch_kernel(const warpsim_launch* launch) {
  return launch_of(launch).kernel().c_str();
}
uint64_t warpsim_launch_cycles(const warpsim_launch* launch) {
  return launch_of(launch).cycles();
}
double warpsim_launch_nanoseconds(const warpsim_launch* launch) {
  return launch_of(launch).nanoseconds();
}
size_t warpsim_launch_counter_count(const warpsim_launch* launch) {
  return launch_of(launch).counters().size();
}
const char* warpsim_launch_counter_name(const warpsim_launch* launch, size_t number) {
  return name_at(launch_of(launch).counters(), number);
}
uint64_t warpsim_launch_counter_value(const warpsim_launch* launch, size_t number) {
  return number < launch_of(launch).counters().size() ? launch_of(launch).counters()[number].value : 0;
}
int warpsim_launch_counter(const warpsim_launch* launch, const char* name, uint64_t* value) {
  return give(launch_of(launch).counter(name), value);
}
size_t warpsim_launch_metric_count(const warpsim_launch* launch) {
  return launch_of(launch).metrics().size();
}
const char* warpsim_launch_metric_name(const warpsim_launch* launch, size_t number) {
  return name_at(launch_of(launch).metrics(), number);
}
double warpsim_launch_metric_value(const warpsim_launch* launch, size_t number) {
  return number < launch_of(launch).metrics().size() ? launch_of(launch).metrics()[number].value : std::nan("");
}
int warpsim_launch_metric(const warpsim_launch* launch, const char* name, double* value) {
  return give(launch_of(launch).metric(name), value);
}
