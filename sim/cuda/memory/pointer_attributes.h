// What the driver tells about a pointer (cuPointerGetAttribute).
#pragma once

#include "cuda/context.h"

namespace warpsim::cuda {

// `data`: a place for the attribute's type. Attributes that are not known here, and addresses without memory, fail with
// kInvalidValue.
void pointer_attribute(Context& context, void* data, int attribute, Address address);
// Whether the current GPU can access the memory there, which exists; only memory that a program maps itself may be
// closed to its own GPU.
bool is_accessible(Context& context, Address address);

}  // namespace warpsim::cuda
