#include "emulator/machine_code/system_functions.h"

#include <algorithm>
#include <iterator>

#include "emulator/memory/generic_address.h"

namespace warpsim {

namespace {

// Arguments are in R4 and on, those of 64 bits in even registers and the next one; the result is in R4.
constexpr SystemFunction kSystemFunctions[] = {
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

}  // namespace

std::span<const SystemFunction> system_functions() {
  return kSystemFunctions;
}

std::vector<const SystemFunction*> all_system_functions() {
  std::vector<const SystemFunction*> functions;
  for (const SystemFunction& function : kSystemFunctions) {
    functions.push_back(&function);
  }
  return functions;
}

std::uint64_t system_function_address(std::string_view name) {
  constexpr std::uint64_t kBetween = 16;
  const auto found = std::ranges::find(kSystemFunctions, name, &SystemFunction::name);
  return found == std::end(kSystemFunctions)
             ? 0
             : kFunctionWindow + kBetween * static_cast<std::uint64_t>(found - std::begin(kSystemFunctions) + 1);
}

bool is_system_function(std::string_view name) {
  return system_function_address(name) != 0;
}

}  // namespace warpsim
