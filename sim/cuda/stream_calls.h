// Events and what else runtime and driver share about streams. All work happens when it is requested, so a stream is
// always done; events hold the device's time.
#pragma once

#include "cuda/context.h"

namespace warpsim::cuda {

void record_event(Context& context, EventHandle event, StreamHandle stream);
// Milliseconds between two events. Fails with kInvalidHandle if they were not recorded or take no times.
float elapsed_ms(Context& context, EventHandle begin, EventHandle end);

}  // namespace warpsim::cuda
