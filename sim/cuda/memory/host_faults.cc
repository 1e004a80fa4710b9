#include "cuda/memory/host_faults.h"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>

#include "cuda/context.h"

namespace warpsim::cuda {

namespace {

void on_fault(int signal, siginfo_t* info, void* machine) {
  HostFaults& faults = process_context().host_faults();
  const auto address = reinterpret_cast<Address>(info->si_addr);
  const bool named = info->si_code > 0 && faults.covers(address);
  if (named) {
    faults.name(address);
  }
  faults.hand_on(signal, info, machine, named);
}

}  // namespace

std::size_t describe_host_fault(const DeviceMemory* memory, Address address, char* text, std::size_t size) {
  char* const end = text + size - 1;
  const auto add = [&](auto format, auto... values) {
    text = fmt::format_to_n(text, static_cast<std::size_t>(end - text), format, values...).out;
  };
  char* const begin = text;
  const bool managed = memory != nullptr && address - memory->managed().begin < memory->managed().bytes;
  add(FMT_STRING("warpsim: the host program accesses {} memory at {:#x}, "), managed ? "managed" : "device", address);
  const DeviceMemory::Allocation* const allocation = memory == nullptr ? nullptr : memory->find(address);
  const FreedMemory::Range* freed = memory == nullptr ? nullptr : memory->freed(address);
  if (managed && freed == nullptr) {
    freed = memory->freed(address / MemoryArena::kPage * MemoryArena::kPage);  // the rest of its last page
  }
  if (allocation != nullptr) {
    add(FMT_STRING("{} bytes into the allocation of {} bytes at {:#x}{}{}; copy it with cudaMemcpy or use managed "
                   "memory"),
        address - allocation->begin, allocation->bytes, allocation->begin, allocation->name.empty() ? "" : " of ",
        allocation->name.c_str());
  } else if (freed != nullptr) {
    add(FMT_STRING("in memory that was freed: {} bytes at {:#x}{}{}"), freed->bytes, freed->begin,
        freed->name.empty() ? "" : " of ", freed->name.c_str());
  } else {
    add(FMT_STRING("which the host cannot access; copy it with cudaMemcpy"));
  }
  *text++ = '\n';
  return static_cast<std::size_t>(text - begin);
}

void HostFaults::watch(const DeviceMemory& memory) {
  device_ = memory.reserved();
  managed_ = memory.managed();
  reserved_ = memory.mapped().ranges().empty()
                  ? DeviceMemory::Reserved{}
                  : DeviceMemory::Reserved{ReservedRanges::kWindowBegin, ReservedRanges::kWindowBytes};
  if (installed_ || (device_.bytes == 0 && managed_.bytes == 0)) {
    return;
  }
  sigaction(SIGSEGV, nullptr, &previous_);
  struct sigaction action = previous_;
  action.sa_sigaction = on_fault;
  action.sa_flags |= SA_SIGINFO | SA_ONSTACK;
  action.sa_flags &= ~static_cast<int>(SA_RESETHAND);
  installed_ = sigaction(SIGSEGV, &action, nullptr) == 0;
}

// Calls no function that allocates or waits: another thread may hold the context.
void HostFaults::name(Address address) {
  Context& context = process_context();
  const bool is_ours = context.mutex().try_lock();
  const DeviceMemory* const memory = is_ours && context.has_device() ? &context.device().memory() : nullptr;
  constexpr std::size_t kLine = 512;
  std::array<char, kLine> line;
  const std::size_t length = describe_host_fault(memory, address, line.data(), line.size());
  if (is_ours) {
    context.mutex().unlock();
  }
  (void)!write(STDERR_FILENO, line.data(), length);
}

// A fault repeats when the handler returns; a signal from a process is sent again.
void HostFaults::hand_on(int signal, siginfo_t* info, void* machine, bool named) {
  const bool has_handler =
      (previous_.sa_flags & SA_SIGINFO) != 0 || (previous_.sa_handler != SIG_DFL && previous_.sa_handler != SIG_IGN);
  if (named || !has_handler) {
    sigaction(signal, &previous_, nullptr);
    installed_ = false;
    if (info->si_code <= 0) {
      syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), signal, info);
    }
    return;
  }
  if ((previous_.sa_flags & SA_SIGINFO) != 0) {
    previous_.sa_sigaction(signal, info, machine);
  } else {
    previous_.sa_handler(signal);
  }
}

}  // namespace warpsim::cuda
