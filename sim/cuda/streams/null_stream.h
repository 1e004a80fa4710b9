// The stream that a call without one uses: the legacy default stream, or, through the second names of functions
// (_ptsz, _ptds; nvcc --default-stream per-thread), the default stream of the calling thread.
//
// Source: CUDA runtime API, stream synchronization behavior. A second name notes its use and goes on at the first name;
// the call that follows in the same thread takes the note. The stub is written in assembly, since it passes on all
// arguments of a function that it does not know.
#pragma once

// The note. Written by the stubs, hence with C's name and a fixed place behind the thread pointer.
// NOLINTNEXTLINE(readability-identifier-naming): an exported name
extern "C" [[gnu::visibility("default"), gnu::tls_model("initial-exec")]] thread_local bool warpsimNullStreamIsOwn;

#ifndef __x86_64__
#error "the second names of CUDA's functions are written for x86-64"
#endif
// Defines `second`, which calls `first` with the default stream of the thread. Uses r11, which no argument is in.
#define WARPSIM_OWN_STREAM_NAME(second, first)               \
  asm(".pushsection .text." second                           \
      ", \"ax\", @progbits\n"                                \
      ".globl " second                                       \
      "\n"                                                   \
      ".type " second ", @function\n" second                 \
      ":\n"                                                  \
      "  endbr64\n"                                          \
      "  movq warpsimNullStreamIsOwn@gottpoff(%rip), %r11\n" \
      "  movb $1, %fs:(%r11)\n"                              \
      "  jmp " first                                         \
      "@PLT\n"                                               \
      ".size " second ", .-" second                          \
      "\n"                                                   \
      ".popsection\n")

namespace warpsim::cuda {

// While it exists, a call runs in this thread, which takes the note.
class NullStreamOfCall {
 public:
  NullStreamOfCall();
  ~NullStreamOfCall();
  NullStreamOfCall(const NullStreamOfCall&) = delete;
  NullStreamOfCall& operator=(const NullStreamOfCall&) = delete;

 private:
  bool outer_;
};

// Whether a call without a stream uses the default stream of its thread.
bool null_stream_is_own();

}  // namespace warpsim::cuda
