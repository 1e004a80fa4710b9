// PTX of one warpgroup-mma measurement: one kernel, its instructions in the order written here.
#pragma once

#include <string>
#include <vector>

enum class Mode {
  kBurst,     // fence, `count` operations, commit, wait: clocks around each part
  kTimeline,  // the same with a clock read after each operation
  kIdle,      // the same, but the wait is 1000 cycles after the operations have ended
  kStream,    // a loop of fence, `count` operations, commit, wait for all but one group
};

struct Type {
  const char* name;         // column of the results
  const char* suffix;       // of the instruction
  int depth;                // K
  const char* accumulator;  // register type
  int accumulator_bits;
  const char* immediates_shared;     // after scale-d, A from shared memory
  const char* immediates_registers;  // after scale-d, A from registers
};

inline const std::vector<Type> kTypes = {
    {"bf16_f32", "f32.bf16.bf16", 16, "f32", 32, ", 1, 1, 0, 0", ", 1, 1, 0"},
    {"f16_f16", "f16.f16.f16", 16, "b32", 16, ", 1, 1, 0, 0", ", 1, 1, 0"},
    {"tf32_f32", "f32.tf32.tf32", 8, "f32", 32, ", 1, 1", ", 1, 1"},
    {"e4m3_f32", "f32.e4m3.e4m3", 32, "f32", 32, ", 1, 1", ", 1, 1"},
    {"e4m3_f16", "f16.e4m3.e4m3", 32, "b32", 16, ", 1, 1", ", 1, 1"},
    {"s8_s32", "s32.s8.s8", 32, "b32", 32, "", ""},
};

struct Case {
  int type = 0;
  int n = 64;
  bool a_in_registers = false;
  bool swizzled = true;  // 128 bytes; otherwise none
  int chains = 1;        // independent accumulators, used in turn
  int count = 1;         // operations of a round
  int warpgroups = 1;
  Mode mode = Mode::kBurst;
};

inline std::string accumulators(const Case& c, int chain) {
  const Type& type = kTypes[c.type];
  const int registers = c.n * type.accumulator_bits / 64;
  std::string list = "{";
  for (int i = 0; i < registers; ++i) {
    list += (i ? ", %acc" : "%acc") + std::to_string(chain * registers + i);
  }
  return list + "}";
}

inline std::string operation(const Case& c, int index) {
  const Type& type = kTypes[c.type];
  const std::string shape = "m64n" + std::to_string(c.n) + "k" + std::to_string(type.depth);
  const std::string step = std::to_string(index % 4);  // successive parts of the 128-byte rows, as in a real product
  const std::string a = c.a_in_registers ? "{%ra0, %ra1, %ra2, %ra3}" : "%rda" + step;
  return "  wgmma.mma_async.sync.aligned." + shape + "." + type.suffix + " " + accumulators(c, index % c.chains) +
         ", " + a + ", %rdb" + step + ", %pscale" +
         (c.a_in_registers ? type.immediates_registers : type.immediates_shared) + ";\n";
}

inline std::string clock(const std::string& name) {
  return "  mov.u64 %t" + name + ", %clock64;\n";
}
inline std::string store(const std::string& name, int place) {
  return "  st.global.u64 [%rdout + " + std::to_string(8 * place) + "], %t" + name + ";\n";
}

inline std::string registers_of(const Case& c) {
  const Type& type = kTypes[c.type];
  const int count = c.chains * c.n * type.accumulator_bits / 64;
  return "  .reg ." + std::string(type.accumulator) + " %acc<" + std::to_string(count) + ">;\n" +
         "  .reg .pred %p, %pscale;\n  .reg .b32 %ra<4>;\n  .reg .b64 %t<40>, %tbefore, %tfence, %tissue, %tcommit, "
         "%twait;\n"
         "  .reg .b32 %r<16>, %rx, %rround, %rrounds;\n  .reg .b64 %rd<16>, %rda<4>, %rdb<4>, %rdout, %rdsink;\n";
}

// Zeroes shared memory and accumulators and makes the descriptors.
inline std::string prologue(const Case& c) {
  const Type& type = kTypes[c.type];
  const int count = c.chains * c.n * type.accumulator_bits / 64;
  std::string text =
      "  ld.param.u64 %rdout, [out];\n  ld.param.u32 %rrounds, [rounds];\n  cvta.to.global.u64 %rdout, %rdout;\n"
      "  mov.u32 %r0, %tid.x;\n  mov.u32 %r1, buffer;\n  shl.b32 %r2, %r0, 2;\n  add.u32 %r3, %r1, %r2;\n"
      "  mov.u32 %r4, %ntid.x;\n  shl.b32 %r4, %r4, 2;\n  add.u32 %r5, %r1, 65536;\n"
      "FILL:\n  st.shared.u32 [%r3], 0;\n  add.u32 %r3, %r3, %r4;\n  setp.lt.u32 %p, %r3, %r5;\n  @%p bra FILL;\n  "
      "bar.sync 0;\n"
      "  shr.u32 %r6, %r0, 5;\n  mul.wide.u32 %rd0, %r6, 512;\n  add.u64 %rdsink, %rdout, 65536;\n"
      "  add.u64 %rdout, %rdout, %rd0;\n  shr.u32 %r7, %r1, 4;\n  and.b32 %r7, %r7, 16383;\n  cvt.u64.u32 %rd1, %r7;\n";
  // Descriptor: address, leading offset << 16, stride offset << 32 (16-byte units), mode << 62.
  const char* fields = c.swizzled ? "0x4000004000010000" : "0x0000001000080000";
  text += "  or.b64 %rda0, %rd1, " + std::string(fields) + ";\n";
  for (int i = 0; i < 4; ++i) {
    const int offset = c.swizzled ? 2 * i : 128 * i;  // 32 bytes along the row; 2 KiB to the next tile
    if (i)
      text += "  add.u64 %rda" + std::to_string(i) + ", %rda0, " + std::to_string(offset) + ";\n";
  }
  for (int i = 0; i < 4; ++i) {
    const int offset = 1024 + (c.swizzled ? 2 * i : 512 * i);  // B is 16 KiB after A
    text += "  add.u64 %rdb" + std::to_string(i) + ", %rda0, " + std::to_string(offset) + ";\n";
  }
  text += "  ld.shared.v4.u32 {%ra0, %ra1, %ra2, %ra3}, [buffer];\n";
  for (int i = 0; i < count; ++i) {
    text += "  mov.b32 %acc" + std::to_string(i) + ", 0;\n";
  }
  return text + "  setp.ne.u32 %pscale, %rrounds, 0;\n  mov.u32 %rround, 0;\n  fence.proxy.async;\n  bar.sync 0;\n";
}

inline std::string epilogue(const Case& c) {
  const Type& type = kTypes[c.type];
  const int count = c.chains * c.n * type.accumulator_bits / 64;
  std::string text = "  mov.u32 %rx, 0;\n";
  for (int i = 0; i < count; ++i) {
    const std::string name = "%acc" + std::to_string(i);
    text += "  mov.b32 %r8, " + name + ";\n  xor.b32 %rx, %rx, %r8;\n";
  }
  return text + "  st.global.u32 [%rdsink], %rx;\n  ret;\n}\n";
}

inline std::string body(const Case& c) {
  std::string text = "ROUND:\n";
  if (c.mode != Mode::kStream)
    text += "  bar.sync 0;\n" + clock("before");
  text += "  wgmma.fence.sync.aligned;\n";
  if (c.mode != Mode::kStream)
    text += clock("fence");
  for (int i = 0; i < c.count; ++i) {
    text += operation(c, i);
    if (c.mode == Mode::kTimeline)
      text += clock(std::to_string(i));
  }
  if (c.mode == Mode::kStream) {
    text += "  wgmma.commit_group.sync.aligned;\n  wgmma.wait_group.sync.aligned 1;\n";
  } else {
    text += clock("issue") + "  wgmma.commit_group.sync.aligned;\n";
    if (c.mode == Mode::kIdle) {
      text +=
          "SPIN:\n  mov.u64 %t0, %clock64;\n  sub.u64 %t0, %t0, %tissue;\n  setp.lt.u64 %p, %t0, 1000;\n  @%p bra "
          "SPIN;\n";
    }
    text += clock("commit") + "  wgmma.wait_group.sync.aligned 0;\n" + clock("wait");
    int place = 0;
    for (const char* name : {"before", "fence", "issue", "commit", "wait"})
      text += store(name, place++);
    for (int i = 0; c.mode == Mode::kTimeline && i < c.count; ++i)
      text += store(std::to_string(i), place++);
  }
  return text + "  add.u32 %rround, %rround, 1;\n  setp.lt.u32 %p, %rround, %rrounds;\n  @%p bra ROUND;\n";
}

inline std::string kernel_ptx(const Case& c) {
  std::string text =
      ".version 8.0\n.target sm_90a\n.address_size 64\n.extern .shared .align 1024 .b8 buffer[];\n"
      ".visible .entry measure(.param .u64 out, .param .u32 rounds)\n.maxntid " +
      std::to_string(128 * c.warpgroups) + "\n{\n" + registers_of(c) + prologue(c);
  if (c.mode == Mode::kStream) {
    text += "  bar.sync 0;\n" + clock("before") + body(c) + "  wgmma.wait_group.sync.aligned 0;\n" + clock("wait") +
            store("before", 0) + store("wait", 4);
  } else {
    text += body(c);
  }
  return text + epilogue(c);
}
