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
};

}  // namespace

std::span<const SystemFunction> system_functions() {
  return kSystemFunctions;
}

std::uint64_t system_function_address(std::string_view name) {
  constexpr std::uint64_t kBetween = 16;
  const auto found = std::ranges::find(kSystemFunctions, name, &SystemFunction::name);
  return found == std::end(kSystemFunctions)
             ? 0
             : kFunctionWindow + kBetween * static_cast<std::uint64_t>(found - std::begin(kSystemFunctions) + 1);
}

}  // namespace warpsim
