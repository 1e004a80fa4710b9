#include <catch2/catch.hpp>
#include <string>

#include "unit/ptx/parse.h"

namespace warpsim::ptx {
namespace {

void in_module(const std::string& text, const std::string& message) {
  INFO(text);
  CHECK_THROWS_WITH(parse(text), "t.ptx:" + message);
}

void in_body(const std::string& text, const std::string& message) {
  INFO(text);
  CHECK_THROWS_WITH(parse_in_kernel(text), "t.ptx:" + message);
}

void whole(const std::string& text, const std::string& message) {
  INFO(text);
  CHECK_THROWS_WITH(parse_module(text, "t.ptx"), "t.ptx:" + message);
}

TEST_CASE("Errors at the head of a module") {
  whole("", "1:1: expected '.version' at the beginning of the text, found the end of the text");
  whole("hello", "1:1: expected '.version' at the beginning of the text, found 'hello'");
  whole(".version 8\n", "1:10: expected a version of PTX from 1.0 to 9.9, found '8'");
  whole(".version 10.0\n", "1:10: expected a version of PTX from 1.0 to 9.9, found '10.0'");
  whole(".version 0.9\n", "1:10: expected a version of PTX from 1.0 to 9.9, found '0.9'");
  whole(".version 8.0\n.address_size 64", "2:1: expected '.target' after '.version', found '.address_size'");
  whole(".version 8.0\n.target 90", "2:9: expected a target such as 'sm_90', found '90'");
  whole(".version 8.0\n.target sm_9", "2:9: expected a target such as 'sm_90', found 'sm_9'");
  whole(".version 8.0\n.target sm_90x", "2:9: expected a target such as 'sm_90', found 'sm_90x'");
  whole(".version 8.0\n.target debug",
        "2:14: expected a target such as 'sm_90' in the list after '.target', found the end of the text");
  whole(".version 8.0\n.target sm_90\n.address_size 16",
        "3:15: expected the size of addresses in bits (32 to 64), found '16'");
  whole(".version 8.0\n.target sm_90\n.address_size 48", "3:15: expected addresses of 32 or 64 bits, found '48'");
}

TEST_CASE("Errors between functions") {
  in_module("x", "4:1: expected a directive such as '.entry', '.func' or '.global', found 'x'");
  in_module(".reg .b32 x;", "4:1: expected a declaration that is allowed outside of functions, found '.reg'");
  in_module(".visible .file", "4:10: expected a function or variable after '.visible', found '.file'");
  in_module("@ x", "4:3: expected '@' before 'DWARF', found 'x'");
  in_module("@@x", "4:3: expected 'DWARF' after '@@', found 'x'");
  in_module(".section {", "4:10: expected the name of a section, found '{'");
  in_module(".section .a { b", "4:16: expected '}' after the content of a section, found the end of the text");
  in_module(".file 99999 \"x\"", "4:7: expected the number of a file (0 to 65536), found '99999'");
  in_module(".file 1 x", "4:9: expected the name of a file, found 'x'");
  in_module(".pragma x;", "4:9: expected a string after '.pragma', found 'x'");
  in_module(".pragma \"x\"", "4:12: expected ';' after a pragma, found the end of the text");
  in_module(".alias g, f;", "4:8: expected a function declared before, found 'g'");
  in_module(".func f() {} .func g() {} .alias g, f;",
            "4:34: expected the name of a function without a body of its own, found 'g'");
  in_module(".func f(); .alias f, f;", "4:19: expected the name of a function without a body of its own, found 'f'");
}

TEST_CASE("Errors of declarations") {
  in_module(".global x;", "4:9: expected a type such as '.b32', found 'x'");
  in_module(".global .v3 .u32 x;", "4:9: expected a type such as '.b32', found '.v3'");
  in_module(".global .pred x;", "4:9: expected a type that memory can hold, found '.pred'");
  in_module(".global .u32 5;", "4:14: expected the name of a variable, found '5'");
  in_module(".global .u32 x", "4:15: expected ';' after a declaration, found the end of the text");
  in_module(".global .align 3 .u32 x;", "4:16: expected an alignment that is a power of two, found '3'");
  in_module(".global .align 0 .u32 x;", "4:16: expected an alignment in bytes (1 to 1048576), found '0'");
  in_module(".global .attribute(.x) .u32 x;", "4:20: expected '.managed' or '.unified', found '.x'");
  in_module(".const[11] .u32 x;", "4:8: expected the number of a bank (0 to 10), found '11'");
  in_module(".global .u32 x[];",
            "4:14: expected the number of elements of an array that is not .extern, found 'x' without it");
  in_module(".global .u32 x[0];", "4:16: expected the number of elements (1 to 18446744073709551615), found '0'");
  in_module(".global .u32 x[-1];", "4:16: expected the number of elements, found '-'");
  in_module(".global .u32 x[2;", "4:17: expected ']' after the number of elements, found ';'");
  in_module(".global .u32 x[18446744073709551616];",
            "4:16: expected an integer of at most 64 bits, found '18446744073709551616'");
  in_module(".global .b8 x[4294967296][4294967296];",
            "4:13: expected an array of at most 1099511627776 bytes, found 'x', which is larger");
  in_module(".global .u32 x[549755813888];",
            "4:14: expected an array of at most 1099511627776 bytes, found 'x', which is larger");
  in_module(".global .u8 x<65537>;", "4:13: expected at most 65536 variables declared by count, found more");
  in_module(".global .u32 x;\n.global .u32 x;",
            "5:14: expected a name that is new in its scope, found 'x', which line 4 declares");
  in_module(
      ".extern .global .u32 x;\n.shared .u32 x;",
      "5:14: expected the state space and type size of the declaration in line 4, found another declaration of 'x'");
  in_module(".global .u32 f;\n.func f();",
            "5:7: expected a name that is new in its scope, found 'f', which line 4 declares");
}

TEST_CASE("Errors of initial values") {
  in_module(".shared .u32 x = 1;", "4:16: expected no initial value for a variable of this kind, found '='");
  in_module(".extern .global .u32 x = 1;", "4:24: expected no initial value for a variable of this kind, found '='");
  in_module(".global .u32 x = ;", "4:18: expected an initial value, found ';'");
  in_module(".global .u32 x = 1.5;", "4:18: expected an integer, found '1.5'");
  in_module(".global .f32 x = 1;", "4:18: expected a number with a fraction, found '1'");
  in_module(".global .f16 x = 1.5;", "4:18: expected no initial value for a variable of type '.f16', found '1.5'");
  in_module(".global .u32 x[2] = 1;", "4:21: expected '{' before the initial values of an array, found '1'");
  in_module(".global .u32 x[2] = {1, 2, 3};", "4:28: expected at most 2 values here, found '3'");
  in_module(".global .u32 x[2] = {1 2};", "4:24: expected '}' after initial values, found '2'");
  in_module(".global .u32 x[2][2] = {1};", "4:25: expected '{' before the initial values of an array, found '1'");
  in_module(".global .v2 .u32 x = {1};", "4:24: expected a value for each of the 2 elements of the vector, found '}'");
  in_module(".global .u64 x = y;", "4:18: expected a variable or function declared before, found 'y'");
  in_module(".global .u64 x = generic(5);", "4:26: expected the name of a variable or function, found '5'");
  in_module(".global .u8 x = 0xfff(x);", "4:17: expected a mask of one byte, such as 0xff00, found '0xfff'");
  in_module(".global .u8 x = 0(x);", "4:17: expected a mask of one byte, such as 0xff00, found '0'");
  in_module(".global .u8 x = 0xff(x;", "4:23: expected ')' after the address that is masked, found ';'");
  in_module(".global .u8 x[2][9999999] = {{1}, {2}};",
            "4:13: expected initial values that leave at most 4194304 gaps, found more gaps before 'x' is filled");
  in_module(".global .texref x = {a 1};", "4:24: expected '=' after the name of a field, found '1'");
  in_module(".global .texref x = {a = ;", "4:26: expected the value of a field, found ';'");
}

TEST_CASE("Errors of functions") {
  in_module(".entry (", "4:8: expected the name of a function, found '('");
  in_module(".entry f(.global .u32 x);", "4:10: expected '.param' or '.reg', found '.global'");
  in_module(".entry f(.param .u32 x", "4:23: expected ')' after parameters, found the end of the text");
  in_module(".entry f(.param .u32 x, .param .u32 x);",
            "4:37: expected a name that is new in its scope, found 'x', which line 4 declares");
  in_module(".entry f() .noreturm {", "4:12: expected a directive for kernels such as '.maxntid', found '.noreturm'");
  in_module(".func f() .maxntid 5 {", "4:11: expected a directive for functions such as '.noreturn', found '.maxntid'");
  in_module(".entry f() .maxntid 1, 2, 3, 4 {", "4:30: expected at most three extents, found '4'");
  in_module(".entry f() .maxntid 0 {", "4:21: expected a number of threads (1 to 4294967295), found '0'");
  in_module(".entry f() .maxnreg 4294967296 {",
            "4:21: expected a number of registers (0 to 4294967295), found '4294967296'");
  in_module(".entry f()", "4:11: expected '{' before the body of a function, found the end of the text");
  in_module(".entry f() {}\n.entry f() {}",
            "5:8: expected a name that is new in its scope, found 'f', which line 4 declares");
  in_module(".entry f();\n.func f();",
            "5:7: expected a name that is new in its scope, found 'f', which line 4 declares");
  in_module(".func .attribute(", "4:18: expected ')' after attributes, found the end of the text");
}

TEST_CASE("Errors of bodies") {
  in_body("mov.u32 %r1, %r2", "7:1: expected ';' or ',' after an operand, found '}'");
  in_body("ret %", "6:5: expected an operand, found '%'");
  in_body(";", "6:1: expected an instruction, a label, a directive or '}', found ';'");
  in_body(".entry f", "6:1: expected an instruction or a directive such as '.reg', found '.entry'");
  in_body("@%r1 ret;", "6:2: expected a predicate declared before, found '%r1'");
  in_body("@!5 ret;", "6:3: expected a predicate after '@', found '5'");
  in_body("@%p1 { ret; }", "6:6: expected an instruction, found '{'");
  in_body(".reg .b32 %r3;", "6:11: expected a name that is new in its scope, found '%r3', which line 5 declares");
  in_body(".reg .b32 a;", "6:11: expected a name that is new in its scope, found 'a', which line 4 declares");
  in_body(".reg .b32 %r<4294967296>;", "6:14: expected a number of names (0 to 4294967295), found '4294967296'");
  in_body("L: L:", "6:4: expected a name that is new in its scope, found 'L', which line 6 declares");
  in_body("bra L;", "6:5: expected a label of this block or of an enclosing one, found 'L'");
  in_body("bra L; { L: }", "6:5: expected a label of this block or of an enclosing one, found 'L'");
  in_body("T: .branchtargets A, L; A:", "6:22: expected a label of this block or of an enclosing one, found 'L'");
  in_body("T: .calltargets f;", "6:17: expected a function declared before, found 'f'");
  in_body("T: .callprototype;", "6:18: expected '_' instead of a function's name, found ';'");
  in_body("T: .callprototype _", "7:1: expected ';' after a prototype, found '}'");
  in_body(".loc 1 2", "7:1: expected the number of a column, found '}'");
  in_body(".loc 1 2 3, x", "6:13: expected 'function_name' or 'inlined_at', found 'x'");
  in_body(".local .b32 x = 5;", "6:15: expected no initial value for a variable of this kind, found '='");
  in_body(std::string(300, '{'), "6:256: expected at most 256 levels of nesting, found more");
}

TEST_CASE("Errors of operands") {
  in_body("mov.u32 %r1, %foo;", "6:14: expected a name declared before, found '%foo'");
  in_body("mov.u32 %r1, %r9;", "6:14: expected a name declared before, found '%r9'");
  in_body("L: mov.u32 %r1, L;", "6:17: expected a register, variable or function, not a label, found 'L'");
  in_body("mov.u32 %r1,;", "6:13: expected an operand, found ';'");
  in_body("mov.u32 %r1 %r2;", "6:13: expected ';' or ',' after an operand, found '%r2'");
  in_body("mov.u32 %r1, %tid.q;", "6:18: expected ';' or ',' after an operand, found '.q'");
  in_body("ret }", "6:5: expected an operand, found '}'");
  in_body("x {%r1,};", "6:8: expected an operand, found '}'");
  in_body("x {%r1;", "6:7: expected '}' or ',' after an element of a list, found ';'");
  in_body("x [%r1;", "6:7: expected ']' after an address, found ';'");
  in_body("x [%rd1+%rd2];", "6:9: expected a number, found '%rd2'");
  in_body("x [%rd1+1.5];", "6:8: expected an offset in bytes, found '+'");
  in_body("x %p1|5;", "6:7: expected a register or '_' after '|', found '5'");
  in_body("x a[%r1];", "6:5: expected a constant index; write the address as [register + offset], found '%r1'");
  in_body("x a[1;", "6:6: expected ']' after an index, found ';'");
  in_body("ld.const[11].u32 %r1;", "6:10: expected the number of a bank (0 to 10), found '11'");
}

}  // namespace
}  // namespace warpsim::ptx
