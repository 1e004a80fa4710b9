#include "cuda/streams/null_stream.h"

#include <utility>

thread_local bool warpsimNullStreamIsOwn = false;  // NOLINT(readability-identifier-naming): an exported name

namespace warpsim::cuda {

namespace {

thread_local bool own = false;  // in the running call

}  // namespace

NullStreamOfCall::NullStreamOfCall() : outer_(std::exchange(own, std::exchange(warpsimNullStreamIsOwn, false))) {}

NullStreamOfCall::~NullStreamOfCall() {
  own = outer_;
}

bool null_stream_is_own() {
  return own;
}

}  // namespace warpsim::cuda
