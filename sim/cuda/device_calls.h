// Queries and settings of the device in runtime and driver.
#pragma once

#include <cstddef>

#include "cuda/context.h"

namespace warpsim::cuda {

inline constexpr int kDriverVersion = 13000;  // of the toolkit whose functions are known

// Fails with kInvalidDevice for any but 0.
void check_device(int number);
// Limits of the device: the values set, or initial ones. Fail with kUnsupportedLimit.
std::size_t device_limit(Context& context, int limit);
void set_device_limit(Context& context, int limit, std::size_t value);
// The address that is printed for the only device.
inline constexpr const char* kPciBusId = "0000:00:00.0";
void copy_text(char* target, int bytes, const char* text);

// A function of the driver by its plain name, for a version of the toolkit (12080); null if there is none.
void* driver_function(const char* name, int version);

}  // namespace warpsim::cuda
