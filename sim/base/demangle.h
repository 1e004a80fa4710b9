// Readable kernel names.
#pragma once

#include <string>

namespace warpsim {

// Readable form of a mangled C++ name ("k_saxpy(float*, int)"), or the name itself if it is not mangled.
std::string demangle(const std::string& name);

// The name without parameters, template arguments and return type: "saxpy" of "void saxpy<float>(float*)"; namespaces
// stay. The name itself if it is not mangled.
std::string plain_name(const std::string& mangled);

// For messages: the name with its template arguments, or with "<...>" where they are long.
std::string name_for_message(const std::string& mangled);

// Only the last part of a readable name: "reduce_kernel" of "void at::native::reduce_kernel<512, 1>(Op)".
std::string short_function_name(const std::string& readable);

// Whether `name` matches the function: it may be the mangled name, or the readable one with or without parameters and
// template arguments.
bool is_called(const std::string& mangled, const std::string& name);

}  // namespace warpsim
