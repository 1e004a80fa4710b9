// The interface of the libraries: every function that programs call runs its work here. One call at a time; exceptions
// become error codes; each message for the user is printed once.
#pragma once

#include <cstdint>
#include <mutex>
#include <new>

#include "base/error.h"
#include "cuda/context.h"
#include "cuda/current_device.h"
#include "cuda/streams/host_functions.h"
#include "cuda/streams/null_stream.h"

namespace warpsim::cuda {

// Tells the context at the end of a call.
class CallEnd {
 public:
  explicit CallEnd(Context& context) : context_(context) {}
  ~CallEnd() { context_.call_made(); }
  CallEnd(const CallEnd&) = delete;
  CallEnd& operator=(const CallEnd&) = delete;

 private:
  Context& context_;
};

enum class StickyErrors : bool { kReport, kIgnore };

template <class Work>
int guarded(Work&& work, StickyErrors sticky) {
  Context& context = process_context();
  const NullStreamOfCall null_stream;
  const HostThreads::Call call(context.threads());
  if (in_host_function()) {
    context.say_once("a function that a stream calls (cudaLaunchHostFunc, cudaStreamAddCallback) calls CUDA");
    return kNotPermitted;
  }
  if (context.finished()) {
    return kUnloading;
  }
  if (sticky == StickyErrors::kReport && context.sticky_error() != kSuccess) {
    return context.sticky_error();
  }
  const CallEnd end(context);
  try {
    context.call_begins();
    work(context);
    return kSuccess;
  } catch (const CallError& error) {
    context.say_once(error.what());
    return error.code();
  } catch (const NoUsableCode& error) {
    context.say_once(error.what());
    return kNoBinaryForGpu;
  } catch (const InvalidFatBinary& error) {
    context.say_once(error.what());
    return kInvalidImage;
  } catch (const std::bad_alloc&) {
    return kOutOfMemory;
  } catch (const DatabaseError& error) {
    context.end_process(error);  // what the program does from here on would not be stored
  } catch (const std::exception& error) {
    context.say_once(std::string("internal error: ") + error.what());
    return kUnknown;
  }
}

// The runtime remembers the last error of each thread.
int& last_error();

template <class Work>
int runtime_call(Work&& work, StickyErrors sticky = StickyErrors::kReport) {
  enter_primary_context();
  const int code = guarded(work, sticky);
  if (code != kSuccess && code != kNotReady && !in_host_function()) {
    last_error() = code;
  }
  return code;
}

template <class Work>
int driver_call(Work&& work, StickyErrors sticky = StickyErrors::kReport) {
  return driver_code(guarded(work, sticky));
}

// A call of the driver that needs a current context. Which ones do was measured on an H200: they return this error to a
// thread without one, before they look at their arguments.
template <class Work>
int context_call(Work&& work, StickyErrors sticky = StickyErrors::kReport) {
  return driver_call(
      [&work](Context& context) {
        if (!current_context()) {
          throw CallError(kInvalidContext);
        }
        work(context);
      },
      sticky);
}

// The same of a call in a stream: streams that the program has made have a context, only the default ones are those of
// the current context (measured on an H100).
template <class Work>
int stream_call(StreamHandle stream, Work&& work, StickyErrors sticky = StickyErrors::kReport) {
  return reinterpret_cast<std::uintptr_t>(stream) > kThreadStream ? driver_call(work, sticky)
                                                                  : context_call(work, sticky);
}

// Ends the call with kInvalidValue if a pointer for a result is missing.
template <class T>
T& result(T* pointer) {
  if (pointer == nullptr) {
    throw CallError(kInvalidValue);
  }
  return *pointer;
}

}  // namespace warpsim::cuda
