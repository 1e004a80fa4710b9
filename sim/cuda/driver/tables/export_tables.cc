#include "cuda/driver/tables/export_tables.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "core/gpu/topology.h"
#include "cuda/calls.h"
#include "cuda/device/device_properties.h"
#include "cuda/device_calls.h"
#include "cuda/driver/driver_api.h"
#include "cuda/driver/driver_contexts.h"
#include "cuda/driver/tables/runtime_handshake.h"

namespace warpsim::cuda {

namespace {

using Word = const void*;

template <class Function>
Word entry(Function* function) {
  return reinterpret_cast<Word>(function);
}
Word size_of(std::size_t words) {
  return reinterpret_cast<Word>(words * sizeof(Word));  // NOLINT(performance-no-int-to-ptr): a number in the table
}

int refuse(const char* table, std::size_t index) {
  return driver_call([&](Context&) {
    throw CallError(
        kNotSupported,
        fmt::format("a library calls entry {} of the driver's table \"{}\", which is not supported", index, table));
  });
}

// --- the runtime's modules and contexts ---

constexpr char kRuntimeName[] = "runtime";

int load_module(ModuleHandle* module, const void* code) {
  return cuModuleLoadFatBinary(module, code);
}
int load_module_with(ModuleHandle* module, const void* code, void* /*first*/, void* /*second*/, unsigned /*flags*/) {
  return cuModuleLoadFatBinary(module, code);
}
int load_header_with(const void* code, ModuleHandle* module, void* /*first*/, void* /*second*/, unsigned /*flags*/) {
  return cuModuleLoadFatBinary(module, code);
}
int primary_context(void** context, int device) {
  return cuDevicePrimaryCtxRetain(context, device);
}
void note_loaded(std::size_t /*count*/) {}
int load_compilers() {
  return driver_call([](Context&) {});
}

// --- hooks of tools: buffers of flags that tools would set ---

constexpr char kHooksName[] = "tool hooks";

// Runtimes also read behind the ends that they are told.
alignas(16) std::array<std::byte, 8192> no_flags{};
constexpr std::size_t kFirstFlags = 1024;  // observed, as is the other size
constexpr std::size_t kSecondFlags = 14;

void first_flags(void** flags, std::size_t* bytes) {
  *flags = no_flags.data();
  *bytes = kFirstFlags;
}
void second_flags(void** flags, std::size_t* bytes) {
  *flags = no_flags.data() + no_flags.size() / 2;
  *bytes = kSecondFlags;
}

// --- storage of contexts ---

int put_value(void* handle, void* key, void* value, ContextStorage::WhenGone when_gone) {
  return driver_call([&](Context& context) {
    context.storage().put(gpu_of_context_or_current(context, handle), {key, value, when_gone});
  });
}
int erase_value(void* handle, void* key) {
  return driver_call([&](Context& context) {
    if (!context.storage().erase(gpu_of_context_or_current(context, handle), key)) {
      throw CallError(kInvalidHandle);
    }
  });
}
int get_value(void** value, void* handle, void* key) {
  return driver_call([&](Context& context) {
    const ContextStorage::Value* const found = context.storage().find(gpu_of_context_or_current(context, handle), key);
    if (found == nullptr) {
      throw CallError(kInvalidHandle);
    }
    result(value) = found->value;
  });
}

// --- what tools and libraries ask of threads, contexts and streams ---

int current_context_of_thread(void** handle) {
  return cuCtxGetCurrent(handle);
}
int context_number(void* handle, unsigned long long* number) {
  return cuCtxGetId(handle, number);
}
// The driver's own stream for a handle of a program. The default ones also have handles, which cuStreamGetId takes.
int stream_of_handle(void* /*context*/, StreamHandle stream, StreamHandle* own) {
  return driver_call([&](Context& context) {
    context.stream(stream);
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a handle
    result(own) = stream == nullptr ? reinterpret_cast<StreamHandle>(kLegacyStream) : stream;
  });
}
int stream_number(void* /*context*/, StreamHandle stream, unsigned long long* number) {
  return cuStreamGetId(stream, number);
}

// --- requests of single libraries; both return 1 on an H100 ---

// Calls `take` with each kernel of a module.
int for_each_kernel(void* /*context*/, ModuleHandle module, void (*take)(void* data, KernelHandle kernel), void* data) {
  unsigned count = 0;
  if (cuModuleGetFunctionCount(&count, module) != kSuccess) {
    return 0;
  }
  std::vector<KernelHandle> kernels(count);
  if (count != 0 && cuModuleEnumerateFunctions(kernels.data(), count, module) != kSuccess) {
    return 0;
  }
  for (const KernelHandle kernel : kernels) {
    take(data, kernel);
  }
  return 1;
}
// Of each TPC, in the order of SM numbers: its GPC, and its number in the GPC. TPCs outside of the GPCs have numbers of
// their own behind them (on an H100 four of 11 to 19). The library gives both lists back.
int places_of_tpcs(std::uint8_t** gpcs, std::uint8_t** numbers) {
  return driver_call([&](Context& context) {
    const Topology topology(context.device().config().topology);
    const std::uint32_t count = topology.sm_count() / context.device().config().topology.sms_per_tpc;
    auto* const gpc = static_cast<std::uint8_t*>(std::calloc(count, 1));
    auto* const number = static_cast<std::uint8_t*>(std::calloc(count, 1));
    result(gpcs) = gpc;
    result(numbers) = number;
    if (gpc == nullptr || number == nullptr) {
      throw std::bad_alloc();
    }
    for (std::uint32_t group = 0; group < topology.group_count(); ++group) {
      for (std::uint32_t i = 0; i < topology.tpcs(group).size(); ++i) {
        const std::uint32_t tpc = topology.tpc_of_sm(topology.tpcs(group)[i].front());
        const bool outside = group >= topology.gpc_count();
        gpc[tpc] = static_cast<std::uint8_t>(outside ? group + i : group);
        number[tpc] = static_cast<std::uint8_t>(outside ? 0 : i);
      }
    }
  });
}
int free_places(std::uint8_t* gpcs, std::uint8_t* numbers) {
  std::free(gpcs);
  std::free(numbers);
  return kSuccess;
}
int no_compiler_option() {
  return 1;
}

// --- checks of contexts: always passed ---

constexpr char kChecksName[] = "context checks";

int check_context(void* /*handle*/, unsigned* first, void** second) {
  return driver_call([&](Context&) {
    result(first) = 0;
    if (second != nullptr) {
      *second = nullptr;
    }
  });
}
unsigned check_nothing() {
  return 0;
}

// --- failures ---

// The runtime calls it before it returns an error that it has found itself, as for a number of a GPU that is too large;
// the error does not depend on it (runtime of 13.0).
int note_failure() {
  return kSuccess;
}

// --- the handshake ---

constexpr char kHandshakeName[] = "handshake";

int shake_hands(std::uint32_t version, std::uint64_t unix_seconds, std::array<std::uint64_t, 2>* answer);

constexpr char kThreadsName[] = "threads";
constexpr char kContextsName[] = "contexts and streams";
constexpr char kKernelsName[] = "kernels";        // requested by cuFFT
constexpr char kPlacesName[] = "places of TPCs";  // requested by cuBLAS
constexpr char kCompilersName[] = "da9151d3";     // requested by NVRTC
constexpr char kFailuresName[] = "failures";

// A table of `kWords` whose entries refuse, but for those that are set.
template <const char* kName, std::size_t kWords>
class Table {
 public:
  Table(std::initializer_list<std::pair<std::size_t, Word>> entries) {
    fill(std::make_index_sequence<kWords>());
    words_[0] = size_of(kWords);
    for (const auto& [index, word] : entries) {
      words_[index] = word;
    }
  }
  Word begin() const { return words_.data(); }
  Word at(std::size_t index) const { return words_[index]; }

 private:
  template <std::size_t kIndex>
  static int refuse_entry() {
    return refuse(kName, kIndex);
  }
  template <std::size_t... kIndex>
  void fill(std::index_sequence<kIndex...> /*all*/) {
    words_ = {entry(&refuse_entry<kIndex>)...};
  }

  std::array<Word, kWords> words_{};
};

struct Tables {
  Table<kRuntimeName, 13> runtime{{1, entry(&load_module)},      {2, entry(&primary_context)},
                                  {6, entry(&load_module_with)}, {7, entry(&note_loaded)},
                                  {8, entry(&load_header_with)}, {12, entry(&load_compilers)}};
  Table<kHooksName, 7> hooks{{2, entry(&first_flags)}, {6, entry(&second_flags)}};
  Table<kThreadsName, 3> threads{{2, entry(&current_context_of_thread)}};
  Table<kContextsName, 93> contexts{
      {4, entry(&context_number)}, {39, entry(&stream_number)}, {51, entry(&stream_of_handle)}};
  Table<kKernelsName, 99> kernels{{7, entry(&for_each_kernel)}};
  Table<kPlacesName, 17> places{{4, entry(&places_of_tpcs)}, {13, entry(&free_places)}};
  Table<kCompilersName, 7> compilers{{1, entry(&no_compiler_option)}};
  // Without its size.
  std::array<Word, 3> storage{entry(&put_value), entry(&erase_value), entry(&get_value)};
  Table<kChecksName, 15> checks{{2, entry(&check_context)}, {3, entry(&check_nothing)}};
  Table<kHandshakeName, 3> handshake{{1, entry(&shake_hands)}};
  Table<kFailuresName, 3> failures{{1, entry(&note_failure)}};
};
const Tables& tables() {
  static const Tables all;
  return all;
}

int shake_hands(std::uint32_t version, std::uint64_t unix_seconds, std::array<std::uint64_t, 2>* answer) {
  return driver_call([&](Context& context) {
    std::vector<HandshakeGpu> gpus;
    for (std::uint32_t gpu = 0; gpu < context.device_count(); ++gpu) {
      const abi::DeviceProperties13& properties = properties_13(context.device(gpu));
      gpus.push_back({properties.uuid, properties.pci[2], properties.pci[0], properties.pci[1]});
    }
    const HandshakeFacts facts{kDriverVersion,
                               version,
                               static_cast<std::uint32_t>(::getpid()),
                               static_cast<std::uint32_t>(::pthread_self()),
                               tables().runtime.begin(),
                               tables().handshake.begin(),
                               tables().handshake.at(1),
                               unix_seconds};
    result(answer) = handshake(facts, gpus);
  });
}

struct Known {
  std::array<unsigned char, 16> id;
  Word table;
};

}  // namespace

const void* export_table(const abi::Uuid& id) {
  const Tables& all = tables();
  const std::array<Known, 11> known{{
      {{0x17, 0x34, 0xdc, 0x26, 0x80, 0x0d, 0x47, 0x45, 0x87, 0x26, 0xc0, 0xf1, 0xe7, 0xdd, 0x8b, 0xca},
       all.places.begin()},
      {{0x21, 0x31, 0x8c, 0x60, 0x97, 0x14, 0x32, 0x48, 0x8c, 0xa6, 0x41, 0xff, 0x73, 0x24, 0xc8, 0xf2},
       all.contexts.begin()},
      {{0x6e, 0x16, 0x3f, 0xbe, 0xb9, 0x58, 0x44, 0x4d, 0x83, 0x5c, 0xe1, 0x82, 0xaf, 0xf1, 0x99, 0x1e},
       all.kernels.begin()},
      {{0xda, 0x91, 0x51, 0xd3, 0x3a, 0xe6, 0xcc, 0x41, 0xa5, 0xc0, 0x4f, 0x26, 0xd5, 0x33, 0xe3, 0x28},
       all.compilers.begin()},
      {{0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a, 0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9},
       all.runtime.begin()},
      {{0xa0, 0x94, 0x79, 0x8c, 0x2e, 0x74, 0x2e, 0x74, 0x93, 0xf2, 0x08, 0x00, 0x20, 0x0c, 0x0a, 0x66},
       all.hooks.begin()},
      {{0x42, 0xd8, 0x5a, 0x81, 0x23, 0xf6, 0xcb, 0x47, 0x82, 0x98, 0xf6, 0xe7, 0x8a, 0x3a, 0xec, 0xdc},
       all.threads.begin()},
      {{0xc6, 0x93, 0x33, 0x6e, 0x11, 0x21, 0xdf, 0x11, 0xa8, 0xc3, 0x68, 0xf3, 0x55, 0xd8, 0x95, 0x93},
       all.storage.data()},
      {{0x26, 0x3e, 0x88, 0x60, 0x7c, 0xd2, 0x61, 0x43, 0x92, 0xf6, 0xbb, 0xd5, 0x00, 0x6d, 0xfa, 0x7e},
       all.checks.begin()},
      {{0xd4, 0x08, 0x20, 0x55, 0xbd, 0xe6, 0x70, 0x4b, 0x8d, 0x34, 0xba, 0x12, 0x3c, 0x66, 0xe1, 0xf2},
       all.handshake.begin()},
      {{0xf8, 0xcf, 0xf9, 0x51, 0x21, 0x46, 0x8b, 0x4e, 0xb9, 0xe2, 0xfb, 0x46, 0x9e, 0x7c, 0x0d, 0xd9},
       all.failures.begin()},
  }};
  for (const Known& one : known) {
    if (std::memcmp(one.id.data(), id.bytes, one.id.size()) == 0) {
      return one.table;
    }
  }
  return nullptr;
}

}  // namespace warpsim::cuda

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cuGetExportTable(const void** table, const abi::Uuid* id) {
  // Whose code asks, for the message.
  Dl_info caller{};
  const bool known_caller = dladdr(__builtin_return_address(0), &caller) != 0 && caller.dli_fname != nullptr;
  return driver_call([&](Context&) {
    const abi::Uuid& wanted = result(id);
    result(table) = export_table(wanted);
    if (*table == nullptr) {
      std::string text;
      for (const char byte : wanted.bytes) {
        text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
      }
      throw CallError(kInvalidValue, fmt::format("{} asks for the driver's table {}, which is not known",
                                                 known_caller ? caller.dli_fname : "the program", text));
    }
  });
}
