// A parsed PTX module with resolved names, not interpreted yet. Instructions keep opcode and modifiers as words; the
// emulator and the timing code interpret them.
//
// All text that the module refers to is owned by it (`names`); views stay valid as long as the module, which is not
// copied. Numbers of registers, labels and symbols index the corresponding vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/name_pool.h"

namespace warpsim::ptx {

// A position in the text; both from 1.
struct Place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

enum class StateSpace : std::uint8_t { kGeneric, kRegister, kConstant, kGlobal, kLocal, kParameter, kShared, kTexture };

enum class DataType : std::uint8_t {
  kNone,
  kPredicate,
  kB8,
  kB16,
  kB32,
  kB64,
  kB128,
  kU8,
  kU16,
  kU32,
  kU64,
  kS8,
  kS16,
  kS32,
  kS64,
  kF16,
  kF16x2,
  kBf16,
  kBf16x2,
  kF32,
  kF32x2,
  kF64,
  kTextureReference,
  kSamplerReference,
  kSurfaceReference,  // opaque, 8 bytes
};
// Bytes of an element; a predicate has 1.
std::uint32_t bytes_of(DataType type);
// As written, without the dot: "f16x2".
std::string_view name_of(DataType type);
std::optional<DataType> data_type_of(std::string_view name);

// An initial value: a number, or the address of a symbol plus an offset.
struct InitialValue {
  std::uint64_t bits = 0;         // of the element's type; of an address: the offset
  std::int32_t symbol = -1;       // in Module::symbols
  bool generic = false;           // generic(symbol): its generic address
  std::uint8_t byte_of_mask = 0;  // 0xff00(symbol): the selected byte of the address, from 1; 0: the whole address
};

enum class Linkage : std::uint8_t { kInternal, kVisible, kExtern, kWeak, kCommon };

// Of machine code: the address of a variable, plus an offset, in the content of a variable.
struct ContentAddress {
  std::uint64_t at = 0;        // bytes from the beginning of the content
  std::uint32_t variable = 0;  // in Module::variables
  std::uint64_t offset = 0;
};

struct Variable {
  std::string_view name;
  StateSpace space = StateSpace::kGlobal;
  DataType type = DataType::kNone;
  Linkage linkage = Linkage::kInternal;
  std::uint32_t vector = 1;     // .v2, .v4: elements of a vector
  std::uint32_t alignment = 0;  // bytes; never 0 after parsing: natural unless given
  std::uint64_t elements = 1;   // vectors; 0: of open length (extern .shared x[])
  bool is_array = false;
  bool managed = false;                              // .attribute(.managed)
  std::uint32_t bank = 0;                            // .const[bank]
  std::uint32_t pointer_alignment = 0;               // parameters: .ptr .align; 0: not given
  StateSpace pointer_space = StateSpace::kGeneric;   // parameters: .ptr.space
  std::vector<InitialValue> initial = {};            // leading elements, those of a vector separately; the others are 0
  std::vector<std::byte> content = {};               // of machine code, instead of them: the leading bytes
  std::vector<ContentAddress> addresses = {};        // in the content, 8 bytes each
  std::vector<std::string_view> opaque_fields = {};  // of .texref and .samplerref: "filter_mode = linear"
  Place place = {};

  std::uint64_t bytes() const { return elements * vector * bytes_of(type); }
};

struct Register {
  std::string_view name;  // "%r12"
  DataType type = DataType::kNone;
  std::uint32_t vector = 1;  // .reg .v4 .f32: elements
};

struct Operand {
  enum class Kind : std::uint8_t {
    kRegister,       // number; component of a vector register, or -1; plus offset
    kSpecial,        // %tid and the like: `name` without %, component
    kInteger,        // bits
    kFloat,          // bits of a double; of 0f...: `single`, bits of a float
    kSymbol,         // number in the vector that `scope` selects; its address, plus offset
    kLabel,          // number in Function::labels
    kBranchTargets,  // number in Function::branch_targets
    kCallTargets,    // number in Function::call_targets
    kPrototype,      // number in Function::prototypes
    kAddress,        // [base + offset]: base is elements[0] (register, symbol or integer), further operands after it
                     // (textures: [tex, coordinates], [tex, sampler, coordinates]; bulk tensor: [map, {coordinates}])
    kVector,         // {elements}
    kList,           // (elements): parameters of a call
    kDiscard,        // _
    kText,           // an option of an instruction among the operands
  };
  Kind kind = Kind::kDiscard;
  bool negated = false;  // !p
  bool minus = false;    // -x, of a register (numbers have it folded in)
  // Of a symbol: which vector `number` indexes, Module::symbols or one of the function's.
  enum class Scope : std::uint8_t { kModule, kVariables, kParameters, kReturns };
  Scope scope = Scope::kModule;
  bool single = false;            // 0f...
  bool unsigned_literal = false;  // 1U
  bool video = false;             // x.b0, x.h1 of video instructions: `name` has it ("b0", "h1", "b3210")
  std::int32_t component = -1;    // .x .y .z .w or .r .g .b .a
  std::uint32_t number = 0;
  std::uint64_t bits = 0;
  std::int64_t offset = 0;
  std::string_view name;
  std::vector<Operand> elements = {};
  std::unique_ptr<Operand> second = {};  // d|p: p
  Place place = {};
};

struct Guard {
  std::uint32_t predicate = 0;  // number in Function::registers
  bool negated = false;
};

// Of generated code: which part of a division or root an instruction stands for. Its result is complete in each.
enum class CodePath : std::uint8_t {
  kWhole,
  kFast,  // for most operands
  kSlow,  // the function for others
};

struct Instruction {
  std::string_view opcode;                  // "ld"
  std::vector<std::string_view> modifiers;  // in order, without dots: "global", "L2::128B", "v4", "f32"
  std::optional<Guard> guard = {};
  std::vector<Operand> operands;  // as written; of a call: [return list], callee, [list], [prototype]
  Place place = {};
  bool uniform = false;  // of machine code: executes once for the warp, whatever lanes are on this path
  bool once = false;     // of machine code: executes for one lane of this path
  bool spins = false;    // of generated code: in a loop around a compare-and-swap that ends by itself
  CodePath path = CodePath::kWhole;
  bool keeps_loop = false;        // .pragma "nounroll" before it: the loop that begins here is not unrolled
  std::uint32_t source_file = 0;  // of the last .loc: number in Module::files, from 1; 0: none, or no such .file
  std::uint32_t source_line = 0;
};

struct Label {
  std::string_view name;
  std::uint32_t instruction = 0;  // the following one; may be the number of instructions
};

// A table of labels (.branchtargets) or functions (.calltargets).
struct TargetTable {
  std::string_view name;
  std::vector<std::uint32_t> targets;  // labels of the function, or symbols of the module
};

struct Prototype {
  std::string_view name;  // of a .callprototype; empty for a function's own
  std::vector<Variable> returns;
  std::vector<Variable> parameters;
};

struct LaunchBounds {
  std::uint32_t required_threads[3] = {};  // .reqntid; 0: not given
  std::uint32_t most_threads[3] = {};      // .maxntid
  std::uint32_t least_blocks = 0;          // .minnctapersm
  std::uint32_t most_registers = 0;        // .maxnreg
  std::uint32_t cluster_blocks[3] = {};    // .reqnctapercluster
  std::uint32_t most_cluster_blocks = 0;   // .maxclusterrank
  bool explicit_cluster = false;           // .explicitcluster
};

// An instruction of machine code.
struct MachineWord {
  std::uint64_t address = 0;  // in the module's space of code addresses
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

struct Function {
  std::string_view name;
  bool is_entry = false;
  bool has_body = false;
  bool no_return = false;
  std::int32_t alias_of = -1;  // .alias: in Module::functions; symbols of this name refer to it directly
  Linkage linkage = Linkage::kInternal;
  std::vector<Variable> returns;  // .param or .reg variables
  std::vector<Variable> parameters;
  LaunchBounds bounds;
  std::vector<MachineWord> machine_words;        // of machine code: its instructions
  std::uint32_t machine_registers = 0;           // of machine code: a thread's
  std::vector<std::uint32_t> parameter_offsets;  // of machine code; otherwise parameters follow each other by alignment
  bool grows_stack = false;                      // of machine code: the depth of its stack depends on values
  std::uint32_t constant_instructions = 0;       // of machine code: its first ones, which set constants of the launch
  std::uint32_t constant_registers = 0;          // of machine code: the first of those that only they write
  std::uint32_t constant_registers_end = 0;
  std::vector<Register> registers;  // those of returns and parameters in .reg, then all in the body
  std::vector<Variable> variables;  // .local, .shared, .param, .const, .global of the body; inner scopes flattened
  std::vector<Label> labels;
  std::uint32_t allotted_registers = 0;  // of generated code (codegen/register_budget.h); 0: as many as it needs
  bool is_optimised = false;             // by optimise_for_machine()
  std::vector<TargetTable> branch_targets;
  std::vector<TargetTable> call_targets;
  std::vector<Prototype> prototypes;
  std::vector<Instruction> body;
  Place place = {};
};

// The meaning of a name in the module's outermost scope.
struct Symbol {
  enum class Kind : std::uint8_t { kVariable, kFunction };
  Kind kind = Kind::kVariable;
  std::uint32_t number = 0;  // in Module::variables or Module::functions
};

// A named part of a variable: of machine code, a variable inside a constant bank.
struct VariablePart {
  std::string name;
  std::string variable;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

struct Module;

// Translates the kernels of machine code, each when it is first needed. Several threads may use it at once.
class KernelSource {
 public:
  virtual ~KernelSource() = default;
  // The kernel with this number in Module::functions as a module of its own. Its variables are .extern: those of the
  // module that has this source. Throws PtxError: it cannot be executed, with the reason.
  virtual std::unique_ptr<Module> kernel(std::uint32_t function) const = 0;
  // Why the first kernel that cannot be executed is refused, after translating those before it; empty if there is none.
  virtual std::string refusal() const = 0;
};

struct Module {
  std::string file;                              // for messages
  std::uint32_t version = 0;                     // 90 for PTX ISA 9.0
  std::uint32_t target = 0;                      // 90 for sm_90
  std::uint32_t compiled_from = 0;               // of machine code: the target of its PTX; 0: unknown
  bool architecture_specific = false;            // sm_90a
  std::vector<std::string_view> target_options;  // "texmode_independent", "debug"
  std::uint32_t address_bits = 64;
  std::vector<std::string_view> files;  // of .file, by number - 1
  std::vector<Variable> variables;
  std::vector<Function> functions;  // of several declarations of one function only the one with a body
  std::vector<Symbol> symbols;
  bool is_machine_code = false;  // lifted from machine code: paths meet at convergence barriers only
  std::vector<VariablePart> parts;
  // Of machine code: its kernels, which are in `functions` by their names only.
  std::unique_ptr<const KernelSource> kernel_source;
  NamePool names;
  std::vector<std::unique_ptr<const Module>> units;  // of a linked module: its input modules, which own its names

  // Throws std::out_of_range.
  const Function& function_of(const Symbol& symbol) const { return functions.at(symbol.number); }
  // Of an alias: the function that it stands for.
  const Function* find_function(std::string_view name) const;
  const Variable* find_variable(std::string_view name) const;
};

}  // namespace warpsim::ptx
