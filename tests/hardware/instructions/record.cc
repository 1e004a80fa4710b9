// Executes the forms of forms.txt on the GPU and writes the results: a line with the form, then one with the results
// of its rows in hexadecimal.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "support/instruction_forms.h"

namespace {

using warpsim::test::FormGroup;

void check(CUresult result, const std::string& what) {
  if (result != CUDA_SUCCESS) {
    const char* text = nullptr;
    cuGetErrorString(result, &text);
    std::fprintf(stderr, "%s: %s\n", what.c_str(), text != nullptr ? text : "unknown error");
    std::exit(1);
  }
}

class Buffer {
 public:
  explicit Buffer(std::size_t bytes) : bytes_(bytes) { check(cuMemAlloc(&address_, bytes), "allocation"); }
  ~Buffer() { cuMemFree(address_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  CUdeviceptr address() const { return address_; }
  void clear() { check(cuMemsetD8(address_, 0, bytes_), "clearing"); }

 private:
  std::size_t bytes_;
  CUdeviceptr address_ = 0;
};

void record(const FormGroup& group, std::ostream& out) {
  using namespace warpsim::test;
  CUmodule module;
  check(cuModuleLoadData(&module, module_text(group).c_str()), group.name);
  const std::size_t rows = group.rows.size();
  const std::vector<std::uint64_t> words = operand_words(group);
  Buffer operands(rows * kOperandBytes);
  Buffer results(rows * kResultBytes);
  Buffer scratch(rows * kOwnBytes);
  check(cuMemcpyHtoD(operands.address(), words.data(), rows * kOperandBytes), "copy of the operands");
  std::vector<std::uint64_t> values(rows);
  for (std::size_t i = 0; i < group.forms.size(); ++i) {
    CUfunction kernel;
    check(cuModuleGetFunction(&kernel, module, ("f" + std::to_string(i)).c_str()), group.forms[i]);
    results.clear();
    scratch.clear();
    CUdeviceptr addresses[] = {operands.address(), results.address(), scratch.address()};
    void* parameters[] = {&addresses[0], &addresses[1], &addresses[2]};
    const auto blocks = static_cast<unsigned>(rows / 32);
    check(cuLaunchKernel(kernel, blocks, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr), group.forms[i]);
    check(cuCtxSynchronize(), group.forms[i]);
    check(cuMemcpyDtoH(values.data(), results.address(), rows * kResultBytes), "copy of the results");
    out << group.forms[i] << '\n' << std::hex;
    for (std::size_t row = 0; row < rows; ++row) {
      out << values[row] << (row + 1 == rows ? '\n' : ' ');
    }
    out << std::dec;
  }
  check(cuModuleUnload(module), group.name);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: record FORMS > RESULTS\n");
    return 2;
  }
  std::ifstream forms(arguments[1]);
  check(cuInit(0), "cuInit");
  CUdevice device;
  check(cuDeviceGet(&device, 0), "device");
  CUcontext context;
  check(cuDevicePrimaryCtxRetain(&context, device), "context");
  check(cuCtxSetCurrent(context), "context");
  for (const FormGroup& group : warpsim::test::read_form_groups(forms)) {
    record(group, std::cout);
  }
  return 0;
}
