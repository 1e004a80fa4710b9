// Ends the device when the libraries are unloaded: after the program's own exit handlers.
#include <unistd.h>

#include <cstdio>

#include "cuda/context.h"

namespace {

[[gnu::destructor]] void end_of_process() {
  warpsim::cuda::Context& context = warpsim::cuda::process_context();
  context.finish();
  if (context.changes_exit_status()) {
    std::fflush(nullptr);
    _exit(context.exit_status());
  }
}

}  // namespace
