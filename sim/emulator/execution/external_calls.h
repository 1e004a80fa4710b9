// Functions that code expects from the driver: vprintf, __assertfail, malloc, free, cudaGraphSetConditional.
#pragma once

#include <string_view>

#include "emulator/operations/operation_builder.h"

namespace warpsim {

// Turns the call into an operation; fails if there is no such function.
void bind_external_call(OperationBuilder& builder, std::string_view function, const CallSite& site);

}  // namespace warpsim
