// The table of the machine instructions of sm_70 to sm_90: one row an operation.
//
// Sources: the fields that Mesa's compiler for NVIDIA GPUs writes (src/nouveau/compiler/nak, MIT licence); the records
// of words and text of the CuAssembler project (MIT licence); own experiments: words of compiled programs and
// libraries, and words with single bits changed, compared with the text that NVIDIA's disassembler prints for them.
//
// A row's text is what the disassembler prints, with a place in the word for everything that varies:
//
//   FSETP{compare:79-76}{FTZ:80} P:83-81, ?P:86-84, A(-|), B:f(-|), if72 P:89-87(!90) =78:1 #64-71
//
// - `{list:bits}`: a modifier, named by the list in name_lists(); `{FTZ:80}`: one that is printed if the bit is set;
//   `{!32:80}`: if it is not. `79-76`: bits, the most significant first; `83,76`: several fields put together.
// - Operands: `R`, `UR` registers, `P`, `UP` predicates, `Q`, `UQ` predicates stored as 7 minus their number, `I`
//   unsigned integers, `T` branch targets, and so on (encoding.cc); `D` and `A` are the registers at 23-16 and 31-24;
//   `UD` and `UA` the uniform ones. `B` and `C` are where the form (bits 9 to 11) puts them: a row with forms stands
//   for an opcode of each. `:x`, `:i`, `:f`, `:d`, `:h`: how their immediate values are printed; `:i74`: as
//   unsigned if bit 74 is not set.
// - `(-|~hb)`: minus, absolute value, complement, selected halves, selected byte, at the usual bits of that place or
//   those given: `(-72|73)`, `(!90)`. `n`: minus, or complement if the instruction has the modifier X.
// - `if74&!73`: only if the bits are so. `?15`: not printed if the field has this value; `?`: if it is PT, RZ or [RZ].
// - `[A W:90 U:37-32 S:63-40 D:76 X:79-78]`: an address: base register, bit that says that it is 64 bits wide, uniform
//   register, signed offset, bit that says that the uniform register is a descriptor, scale.
// - `^`: the guard is a uniform predicate. `=78-76:1`: these bits must be so. `#90`: bits without a known
//   meaning, which may be set.
#pragma once

#include <cstdint>
#include <span>

namespace warpsim::sass {

struct NameList {
  const char* field;
  // Names by value, with a comma between; "-": no such value; "": not printed. With `=`: only the values before it.
  const char* names;
  std::uint8_t from = 70;  // architectures, both included; a field may have one list for each
  std::uint8_t to = 90;
};

struct EncodingRow {
  std::uint16_t number;  // with forms: bits 0 to 8; else bits 0 to 11 and bit 91 as bit 12
  const char* forms;     // values of bits 9 to 11; "": the number is the opcode
  std::uint8_t from;     // architectures, both included
  std::uint8_t to;
  const char* text;
};

std::span<const NameList> name_lists();
std::span<const EncodingRow> encoding_rows();

}  // namespace warpsim::sass
