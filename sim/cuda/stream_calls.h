// Events and other functions of streams that runtime and driver share. All work happens when it is requested, so a
// stream is always complete; events hold the device's time.
#pragma once

#include "cuda/context.h"

namespace warpsim::cuda {

void record_event(Context& context, EventHandle event, StreamHandle stream);
// Milliseconds between two events. Fails with kInvalidHandle if they were not recorded or take no times.
float elapsed_ms(Context& context, EventHandle begin, EventHandle end);

}  // namespace warpsim::cuda
