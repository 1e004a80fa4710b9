#include "emulator/execution/device_runtime_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "emulator/code/function_decoder.h"
#include "emulator/execution/device_runtime_call.h"

namespace warpsim {

namespace {

using Argument = DeviceRuntimeArgument;
constexpr Argument kInt{4, 4};
constexpr Argument kLong{8, 8};      // and pointers, streams, events
constexpr Argument kDim3{12, 4};     // dim3
constexpr Argument kPitched{32, 8};  // cudaPitchedPtr
constexpr Argument kExtent{24, 8};   // cudaExtent

constexpr std::array<Argument, 1> kOneInt = {kInt};
constexpr std::array<Argument, 1> kOneLong = {kLong};
constexpr std::array<Argument, 2> kTwoLongs = {kLong, kLong};
constexpr std::array<Argument, 2> kLongInt = {kLong, kInt};
constexpr std::array<Argument, 3> kLongIntInt = {kLong, kInt, kInt};
constexpr std::array<Argument, 3> kLongLongInt = {kLong, kLong, kInt};
constexpr std::array<Argument, 4> kFourLongs = {kLong, kLong, kLong, kLong};
constexpr std::array<Argument, 2> kLongDim3 = {kLong, kDim3};
constexpr std::array<Argument, 4> kOccupancy = {kLong, kLong, kInt, kLong};
constexpr std::array<Argument, 5> kOccupancyWithFlags = {kLong, kLong, kInt, kLong, kInt};
constexpr std::array<Argument, 4> kConfigured = {kLong, kDim3, kDim3, kInt};
constexpr std::array<Argument, 6> kLaunch = {kLong, kLong, kDim3, kDim3, kInt, kLong};
constexpr std::array<Argument, 5> kCopy = {kLong, kLong, kLong, kInt, kLong};
constexpr std::array<Argument, 8> kCopy2d = {kLong, kLong, kLong, kLong, kLong, kLong, kInt, kLong};
constexpr std::array<Argument, 4> kFill = {kLong, kInt, kLong, kLong};
constexpr std::array<Argument, 6> kFill2d = {kLong, kLong, kInt, kLong, kLong, kLong};
constexpr std::array<Argument, 4> kFill3d = {kPitched, kInt, kExtent, kLong};

namespace d = device_runtime;
constexpr bool kStream = true;
constexpr bool kNoStream = false;
constexpr bool kOnlyFirst = true;
constexpr DeviceRuntimeFunction kFunctions[] = {
    {"GetParameterBuffer", for_each_call<d::get_parameter_buffer>, kTwoLongs, 8},
    {"GetParameterBufferV2", for_each_call<d::get_configured_buffer>, kConfigured, 8},
    {"LaunchDevice", for_each_call<d::launch>, kLaunch, 4, kStream},
    {"LaunchDeviceV2", for_each_call<d::launch_configured>, kTwoLongs, 4, kStream},
    {"DeviceSynchronize", for_each_call<d::synchronise>, {}, 4, kNoStream, kOnlyFirst},
    {"StreamCreateWithFlags", for_each_call<d::create_stream>, kLongInt},
    {"StreamDestroy", for_each_call<d::destroy_stream>, kOneLong},
    {"StreamWaitEvent", for_each_call<d::wait_for_event>, kLongLongInt, 4, kStream},
    {"EventCreateWithFlags", for_each_call<d::create_event>, kLongInt},
    {"EventRecord", for_each_call<d::record_event>, kTwoLongs, 4, kStream},
    {"EventRecordWithFlags", for_each_call<d::record_event>, kLongLongInt, 4, kStream},
    {"EventDestroy", for_each_call<d::destroy_event>, kOneLong},
    {"MemcpyAsync", for_each_call<d::copy>, kCopy, 4, kStream},
    {"Memcpy2DAsync", for_each_call<d::copy_2d>, kCopy2d, 4, kStream},
    {"Memcpy3DAsync", for_each_call<d::copy_3d>, kTwoLongs, 4, kStream},
    {"MemsetAsync", for_each_call<d::fill>, kFill, 4, kStream},
    {"Memset2DAsync", for_each_call<d::fill_2d>, kFill2d, 4, kStream},
    {"Memset3DAsync", for_each_call<d::fill_3d>, kFill3d, 4, kStream},
    {"DeviceGetAttribute", for_each_call<d::get_attribute>, kLongIntInt},
    {"DeviceGetLimit", for_each_call<d::get_limit>, kLongInt},
    {"DeviceGetCacheConfig", for_each_call<d::get_configuration>, kOneLong},
    {"DeviceGetSharedMemConfig", for_each_call<d::get_configuration>, kOneLong},
    {"GetLastError", for_each_call<d::get_last_error>, {}},
    {"PeekAtLastError", for_each_call<d::peek_at_last_error>, {}},
    {"GetErrorString", for_each_call<d::get_error_string>, kOneInt, 8},
    {"GetErrorName", for_each_call<d::get_error_name>, kOneInt, 8},
    {"GetDeviceCount", for_each_call<d::get_device_count>, kOneLong},
    {"GetDevice", for_each_call<d::get_device>, kOneLong},
    {"FuncGetAttributes", for_each_call<d::get_function_attributes>, kTwoLongs},
    {"OccupancyMaxActiveBlocksPerMultiprocessor", for_each_call<d::get_active_blocks>, kOccupancy},
    {"OccupancyMaxActiveBlocksPerMultiprocessorWithFlags", for_each_call<d::get_active_blocks>, kOccupancyWithFlags},
    {"RuntimeGetVersion", for_each_call<d::get_version>, kOneLong},
    {"Malloc", for_each_call<d::allocate>, kTwoLongs},
    {"Free", for_each_call<d::release>, kOneLong},
    {"GraphLaunch", for_each_call<d::launch_graph>, kTwoLongs, 4, kStream, kOnlyFirst},
    {"GraphKernelNodeSetParam", for_each_call<d::set_node_parameter>, kFourLongs, 4, kNoStream, kOnlyFirst},
    {"GraphKernelNodeSetEnabled", for_each_call<d::set_node_enabled>, kLongInt, 4, kNoStream, kOnlyFirst},
    {"GraphKernelNodeSetGridDim", for_each_call<d::set_node_grid>, kLongDim3, 4, kNoStream, kOnlyFirst},
    {"GraphKernelNodeUpdatesApply", for_each_call<d::apply_node_updates>, kTwoLongs, 4, kNoStream, kOnlyFirst},
};

// cudaDeviceSynchronize() under the name that does not warn.
constexpr std::string_view kQuietSynchronise = "__cudaDeviceSynchronizeDeprecationAvoidance";

std::vector<DeviceRuntimeForm> make_forms() {
  std::vector<DeviceRuntimeForm> forms;
  for (const DeviceRuntimeFunction& function : kFunctions) {
    for (const DeviceInterface interface : {DeviceInterface::kFirst, DeviceInterface::kSecond}) {
      const bool first = interface == DeviceInterface::kFirst;
      if (function.only_first && !first) {
        continue;
      }
      const std::string name = fmt::format("{}{}", first ? "cuda" : "__cudaCDP2", function.name);
      forms.push_back({name, &function, interface, false});
      if (function.takes_stream) {
        forms.push_back({name + "_ptsz", &function, interface, true});
      }
    }
    if (function.name == "DeviceSynchronize") {
      forms.push_back({std::string(kQuietSynchronise), &function, DeviceInterface::kFirst, false});
    }
  }
  return forms;
}

}  // namespace

std::span<const DeviceRuntimeForm> device_runtime_forms() {
  static const std::vector<DeviceRuntimeForm> forms = make_forms();
  return forms;
}

const DeviceRuntimeForm* find_device_runtime_form(std::string_view name) {
  static const std::map<std::string_view, const DeviceRuntimeForm*> by_name = [] {
    std::map<std::string_view, const DeviceRuntimeForm*> found;
    for (const DeviceRuntimeForm& form : device_runtime_forms()) {
      found.emplace(form.name, &form);
    }
    return found;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

bool is_device_synchronise(std::string_view name) {
  return name == "cudaDeviceSynchronize";
}

void bind_device_runtime_call(OperationBuilder& b, const DeviceRuntimeForm& form, const CallSite& site) {
  const DeviceRuntimeFunction& function = *form.function;
  const bool fits =
      site.arguments.size() == function.arguments.size() && site.results.size() <= 1 &&
      std::ranges::all_of(site.results, [](const CallSite::Argument& result) { return result.in_memory; }) &&
      std::ranges::equal(site.arguments, function.arguments,
                         [](const CallSite::Argument& given, const Argument& wanted) {
                           return given.in_memory && given.bytes == wanted.bytes;
                         });
  if (!fits) {
    b.fail(fmt::format("expected {} arguments in parameter variables of the sizes that {} has",
                       function.arguments.size(), form.name));
  }
  std::vector<OperandPlace>& lists = b.function().code().lists;
  b.operation.target = static_cast<std::uint32_t>(lists.size());
  for (const CallSite::Argument& argument : site.arguments) {
    lists.push_back(static_cast<OperandPlace>(argument.here));
  }
  if (!site.results.empty()) {
    b.operation.d = static_cast<OperandPlace>(site.results.front().here);
  }
  const bool second = form.interface == DeviceInterface::kSecond;
  b.operation.variant = static_cast<std::uint8_t>((second ? DeviceRuntimeCall::kSecondInterface : 0) |
                                                  (form.of_thread ? DeviceRuntimeCall::kOfThread : 0));
  b.operation.effect = Effect::kShared;
  b.operation.run = function.run;
}

}  // namespace warpsim
