// Ends the device when the libraries are unloaded: after all that the program itself does at its end.
#include "cuda/context.h"

namespace {

[[gnu::destructor]] void end_of_process() {
  warpsim::cuda::process_context().finish();
}

}  // namespace
