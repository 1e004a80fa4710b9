#include "support/fake_device.h"

#include <cstdlib>
#include <regex>

namespace warpsim::test {

namespace {

constexpr std::uint32_t kRegisters = 32;

std::uint32_t bytes_of(const std::string& type) {
  return static_cast<std::uint32_t>(std::atoi(type.c_str() + type.find_first_of("0123456789"))) / 8;
}

// ".param .u64 name" and ".param .align 4 .b8 name[16]", in order.
void read_parameters(const std::string& text, cuda::KernelInfo& info) {
  static const std::regex kParameter(R"(\.param\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+[^\s,\)\[]+(?:\[(\d+)\])?)");
  for (std::sregex_iterator it(text.begin(), text.end(), kParameter), end; it != end; ++it) {
    const std::uint32_t element = bytes_of((*it)[2]);
    const std::uint32_t count = (*it)[3].matched ? static_cast<std::uint32_t>(std::stoul((*it)[3])) : 1;
    const std::uint32_t alignment = (*it)[1].matched ? static_cast<std::uint32_t>(std::stoul((*it)[1])) : element;
    const std::uint32_t offset = (info.parameter_bytes + alignment - 1) / alignment * alignment;
    info.parameters.push_back({offset, element * count});
    info.parameter_bytes = offset + element * count;
  }
}

}  // namespace

cuda::Outcome FakeDevice::load_module(std::string_view ptx, const std::string& /*file*/, cuda::ModuleId& module,
                                      const Managed& /*managed*/) {
  modules.emplace_back(ptx);
  const std::string& text = modules.back();
  static const std::regex kEntry(R"(\.entry\s+([\w$]+)\s*\(([^\)]*)\))");
  for (std::sregex_iterator it(text.begin(), text.end(), kEntry), end; it != end; ++it) {
    cuda::KernelInfo info;
    info.name = (*it)[1];
    info.registers = kRegisters;
    info.most_threads_per_block = config_.occupancy.threads_per_block;
    info.target = 90;
    read_parameters((*it)[2], info);
    kernels_.push_back(info);
  }
  static const std::regex kVariable(
      R"(\.(global|const)\s+(?:\.attribute\((\.managed)\)\s+)?(?:\.align\s+\d+\s+)?\.(\w+)\s+([\w$]+)(?:\[(\d+)\])?)");
  for (std::sregex_iterator it(text.begin(), text.end(), kVariable), end; it != end; ++it) {
    cuda::VariableInfo variable;
    variable.bytes = bytes_of((*it)[3]) * ((*it)[5].matched ? std::stoull((*it)[5]) : 1);
    variable.managed = (*it)[2].matched;
    variable.address = variable.managed ? memory_.allocate_managed(variable.bytes, 1, (*it)[4])
                                        : memory_.allocate(variable.bytes, 1, (*it)[4]);
    variables_[(*it)[4]] = variable;
  }
  module = static_cast<cuda::ModuleId>(modules.size());
  return {};
}

cuda::Outcome FakeDevice::load_linked(std::span<const std::string> texts, const std::string& file,
                                      cuda::ModuleId& module, const Managed& managed) {
  std::string whole;
  for (const std::string& text : texts) {
    whole += text;
  }
  return load_module(whole, file, module, managed);
}

cuda::Outcome FakeDevice::find_kernel(cuda::ModuleId /*module*/, std::string_view name, cuda::KernelId& kernel) {
  for (std::size_t i = 0; i < kernels_.size(); ++i) {
    if (kernels_[i].name == name) {
      kernel = static_cast<cuda::KernelId>(i + 1);
      return {};
    }
  }
  return {cuda::Failure::kNotFound, "no kernel '" + std::string(name) + "'"};
}

std::vector<std::string> FakeDevice::kernel_names(cuda::ModuleId /*module*/) const {
  std::vector<std::string> names;
  for (const cuda::KernelInfo& kernel : kernels_) {
    names.push_back(kernel.name);
  }
  return names;
}

cuda::Outcome FakeDevice::find_variable(cuda::ModuleId /*module*/, std::string_view name,
                                        cuda::VariableInfo& variable) {
  const auto found = variables_.find(std::string(name));
  if (found == variables_.end()) {
    return {cuda::Failure::kNotFound, "no variable '" + std::string(name) + "'"};
  }
  variable = found->second;
  return {};
}

cuda::Outcome FakeDevice::launch(cuda::KernelId kernel, const cuda::Launch& launch, WorkHandle* done) {
  RecordedLaunch recorded;
  recorded.kernel = info(kernel).name;
  recorded.grid = launch.grid;
  recorded.block = launch.block;
  recorded.cluster = launch.cluster;
  recorded.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  recorded.cooperative = launch.cooperative;
  recorded.stream = launch.place.stream;
  recorded.parameters.assign(launch.parameters.begin(), launch.parameters.end());
  recorded.place = launch.place;
  now_ns_ += launch_ns;
  recorded.work = std::make_shared<WorkState>(WorkState{WorkKind::kKernel, true, true, 0, 0, now_ns_});
  if (done != nullptr) {
    *done = recorded.work;
  }
  launches.push_back(recorded);
  const auto found = work.find(recorded.kernel);
  return found == work.end() ? cuda::Outcome{} : found->second(*this, recorded);
}

WorkHandle FakeQueue::submit(Work work) {
  auto state = std::make_shared<WorkState>();
  state->kind = work.kind;
  state->started = true;
  if (work.effect) {
    work.effect();
    work.effect = {};
  }
  state->over = true;
  state->end_ns = now_ns_;
  works.push_back(std::move(work));
  handles.push_back(state);
  return state;
}

WorkHandle FakeQueue::end_graph(WorkPlace place, std::function<void()> effect) {
  warpsim::Work work;
  work.place = std::move(place);
  work.effect = std::move(effect);
  return submit(std::move(work));
}

std::uint64_t FakeDevice::copied_bytes() const {
  std::uint64_t bytes = 0;
  for (const warpsim::Work& done : queue_.works) {
    bytes += done.kind == WorkKind::kToDevice || done.kind == WorkKind::kToHost ? done.bytes : 0;
  }
  return bytes;
}

std::uint64_t FakeDevice::create_texture(const cuda::TextureDescription& texture) {
  textures.push_back(texture);
  return textures.size();
}

}  // namespace warpsim::test
