#include "emulator/machine_code/system_functions.h"

#include <fmt/format.h>

#include <map>

#include "base/round_up.h"
#include "emulator/execution/device_runtime_calls.h"
#include "emulator/memory/generic_address.h"

namespace warpsim {

namespace {

// Arguments are in R4 and on, those of 64 bits in even registers and the next one; the result is in R4.
struct Row {
  const char* name;
  const char* declaration;
  const char* call;
};
constexpr Row kDriverFunctions[] = {
    {"vprintf", ".extern .func (.param .b32 result) vprintf (.param .b64 format, .param .b64 arguments);",
     ".param .b64 a;.param .b64 b;.param .b32 r;st.param.v2.b32 [a], {%r4, %r5};st.param.v2.b32 [b], {%r6, %r7};"
     "call (r), vprintf, (a, b);ld.param.b32 %r4, [r]"},
    {"__assertfail",
     ".extern .func __assertfail (.param .b64 message, .param .b64 file, .param .b32 line, .param .b64 function, "
     ".param .b64 size);",
     ".param .b64 a;.param .b64 b;.param .b32 c;.param .b64 d;.param .b64 e;st.param.v2.b32 [a], {%r4, %r5};"
     "st.param.v2.b32 [b], {%r6, %r7};st.param.b32 [c], %r8;st.param.v2.b32 [d], {%r10, %r11};"
     "st.param.v2.b32 [e], {%r12, %r13};call __assertfail, (a, b, c, d, e)"},
    {"malloc", ".extern .func (.param .b64 result) malloc (.param .b64 size);",
     ".param .b64 a;.param .b64 r;st.param.v2.b32 [a], {%r4, %r5};call (r), malloc, (a);"
     "ld.param.v2.b32 {%r4, %r5}, [r]"},
    {"free", ".extern .func free (.param .b64 pointer);",
     ".param .b64 a;st.param.v2.b32 [a], {%r4, %r5};call free, (a)"},
    {"cudaGraphSetConditional", ".extern .func cudaGraphSetConditional (.param .b64 handle, .param .b32 value);",
     ".param .b64 a;.param .b32 b;st.param.v2.b32 [a], {%r4, %r5};st.param.b32 [b], %r6;"
     "call cudaGraphSetConditional, (a, b)"},
    // Code of 9.0 asks the driver where that of others derives the level from neighbouring threads. The second gradient
    // and the offsets are on the stack.
    {"__cuda_syscall_tex_grad_3d_v4_f32_f32", "",
     ".reg .b64 t;.reg .b32 g<4>;mov.b64 t, {%r4, %r5};ld.local.v4.b32 {g0, g1, g2, g3}, [%r1];"
     "tex.grad.3d.v4.f32.f32 {%r5, %r6, %r7, %r8}, [t, {%r8, %r9, %r10, %r11}], {%r12, %r13, %r14, %r15}, "
     "{g0, g1, g2, g3};mov.b32 %r4, 1"},
    {"__cuda_syscall_tex_grad_cube_v4_f32_f32", "",
     ".reg .b64 t;.reg .b32 g<4>;mov.b64 t, {%r4, %r5};ld.local.v4.b32 {g0, g1, g2, g3}, [%r1];"
     "tex.grad.cube.v4.f32.f32 {%r5, %r6, %r7, %r8}, [t, {%r8, %r9, %r10, %r11}], {%r12, %r13, %r14, %r15}, "
     "{g0, g1, g2, g3};mov.b32 %r4, 1"},
    {"__cuda_syscall_tex_grad_acube_v4_f32_f32", "",
     ".reg .b64 t;.reg .b32 g<4>;mov.b64 t, {%r4, %r5};ld.local.v4.b32 {g0, g1, g2, g3}, [%r1];"
     "tex.grad.acube.v4.f32.f32 {%r5, %r6, %r7, %r8}, [t, {%r8, %r9, %r10, %r11}], {%r12, %r13, %r14, %r15}, "
     "{g0, g1, g2, g3};mov.b32 %r4, 1"},
    {"__cuda_syscall_tex_grad_3d_v4_f32_f32_offset", "",
     ".reg .b64 t;.reg .b32 g<8>;mov.b64 t, {%r4, %r5};ld.local.v4.b32 {g0, g1, g2, g3}, [%r1];"
     "ld.local.v4.b32 {g4, g5, g6, g7}, [%r1+16];tex.grad.3d.v4.f32.f32 {%r5, %r6, %r7, %r8}, "
     "[t, {%r8, %r9, %r10, %r11}], {%r12, %r13, %r14, %r15}, {g0, g1, g2, g3}, {g4, g5, g6, g7};mov.b32 %r4, 1"},
};

// Where the ABI puts arguments: in the registers R4 to R15 where the whole argument fits, one of 8 bytes alignment in
// pairs; else on the stack, from R1 on. Later arguments still use registers that are left (own experiments with code of
// nvcc 13 for 8.0 and 9.0).
class ArgumentPlaces {
 public:
  // The PTX that fills the parameter variable.
  std::string fill(const std::string& variable, const DeviceRuntimeArgument& argument) {
    constexpr std::uint32_t kWord = 4;
    constexpr std::uint32_t kEnd = 16;  // R15 is the last register
    const std::uint32_t words = argument.bytes / kWord;
    const std::uint32_t first = round_up(next_register_, argument.alignment / kWord);
    const bool fits = first + words <= kEnd;
    std::uint32_t& next = fits ? next_register_ : next_offset_;
    const std::uint32_t begin = fits ? first : round_up(next_offset_, argument.alignment);
    std::string text;
    for (std::uint32_t i = 0; i < words; ++i) {
      if (fits) {
        text += fmt::format("st.param.b32 [{}+{}], %r{};", variable, i * kWord, begin + i);
      } else {
        text +=
            fmt::format("ld.local.b32 w, [%r1+{}];st.param.b32 [{}+{}], w;", begin + i * kWord, variable, i * kWord);
      }
    }
    next = begin + (fits ? words : argument.bytes);
    return text;
  }

 private:
  std::uint32_t next_register_ = 4;
  std::uint32_t next_offset_ = 0;
};

std::string parameter(const std::string& name, std::uint32_t bytes, std::uint32_t alignment) {
  return fmt::format(".param .align {} .b8 {}[{}]", alignment, name, bytes);
}

SystemFunction of_device_runtime(const DeviceRuntimeForm& form) {
  const DeviceRuntimeFunction& function = *form.function;
  constexpr std::uint32_t kPair = 8;
  std::string declared;
  std::string variables = ".reg .b32 w;" + parameter("r", function.result_bytes, function.result_bytes) + ";";
  std::string fills;
  std::string names;
  ArgumentPlaces places;
  for (std::size_t i = 0; i < function.arguments.size(); ++i) {
    const DeviceRuntimeArgument& argument = function.arguments[i];
    const std::string name = fmt::format("a{}", i);
    const char* const comma = i == 0 ? "" : ", ";
    declared += comma + parameter(name, argument.bytes, argument.alignment);
    names += comma + name;
    variables += parameter(name, argument.bytes, argument.alignment) + ";";
    fills += places.fill(name, argument);
  }
  const char* const result =
      function.result_bytes == kPair ? "ld.param.v2.b32 {%r4, %r5}, [r]" : "ld.param.b32 %r4, [r]";
  return {form.name,
          fmt::format(".extern .func ({}) {} ({});", parameter("r", function.result_bytes, function.result_bytes),
                      form.name, declared),
          fmt::format("{}{}call (r), {}{};{}", variables, fills, form.name,
                      names.empty() ? "" : fmt::format(", ({})", names), result)};
}

std::vector<SystemFunction> make_functions() {
  std::vector<SystemFunction> functions;
  for (const Row& row : kDriverFunctions) {
    functions.push_back({row.name, row.declaration, row.call});
  }
  for (const DeviceRuntimeForm& form : device_runtime_forms()) {
    functions.push_back(of_device_runtime(form));
  }
  return functions;
}

}  // namespace

std::span<const SystemFunction> system_functions() {
  static const std::vector<SystemFunction> functions = make_functions();
  return functions;
}

std::vector<const SystemFunction*> all_system_functions() {
  std::vector<const SystemFunction*> functions;
  for (const SystemFunction& function : system_functions()) {
    functions.push_back(&function);
  }
  return functions;
}

std::uint64_t system_function_address(std::string_view name) {
  constexpr std::uint64_t kBetween = 16;
  static const std::map<std::string_view, std::uint64_t> addresses = [] {
    std::map<std::string_view, std::uint64_t> found;
    std::uint64_t next = kFunctionWindow;
    for (const SystemFunction& function : system_functions()) {
      found.emplace(function.name, next += kBetween);
    }
    return found;
  }();
  const auto found = addresses.find(name);
  return found == addresses.end() ? 0 : found->second;
}

bool is_system_function(std::string_view name) {
  return system_function_address(name) != 0;
}

}  // namespace warpsim
