#include <catch2/catch.hpp>
#include <functional>

#include "base/error.h"
#include "frontend/workload/block_copy.h"
#include "frontend/wtrace/wtrace_format.h"
#include "frontend/wtrace/wtrace_frame.h"
#include "frontend/wtrace/wtrace_group_decoder.h"
#include "frontend/wtrace/wtrace_group_encoder.h"
#include "frontend/wtrace/wtrace_program.h"
#include "frontend/wtrace/wtrace_reader.h"
#include "isa/opcode_table.h"
#include "support/invented_trace.h"

namespace warpsim {
namespace {

using test::InventedKernel;

InventedKernel small_kernel() {
  std::mt19937_64 random(3);
  InventedKernel kernel = test::random_kernel(random);
  while (kernel.blocks.size() < 3 || kernel.blocks[0].instructions.size() < 60) {
    kernel = test::random_kernel(random);
  }
  return kernel;
}

// Reads everything: "" if it equals `expected`, "error" for a TraceError; anything else is a failure.
std::string read_outcome(const std::string& path, const InventedKernel& expected) {
  try {
    const auto source = open_wtrace(path);
    return test::difference_of_next(*source, expected);
  } catch (const TraceError&) {
    return "error";
  }
}

TEST_CASE("wtrace: a truncated file is refused") {
  const test::TemporaryDirectory directory;
  const InventedKernel kernel = small_kernel();
  const std::string path = directory.path("a.wtrace");
  test::write_wtrace(path, {kernel});
  const std::string whole = test::read_file(path);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    test::write_file(path, whole.substr(0, size));
    INFO("cut to " << size << " of " << whole.size());
    REQUIRE(read_outcome(path, kernel) == "error");
  }
}

TEST_CASE("wtrace: a flipped bit anywhere is detected or changes nothing") {
  const test::TemporaryDirectory directory;
  const InventedKernel kernel = small_kernel();
  const std::string path = directory.path("a.wtrace");
  test::write_wtrace(path, {kernel});
  const std::string whole = test::read_file(path);
  std::size_t errors = 0;
  for (std::size_t byte = 0; byte < whole.size(); ++byte) {
    std::string changed = whole;
    changed[byte] = static_cast<char>(changed[byte] ^ (1 << byte % 8));
    test::write_file(path, changed);
    const std::string outcome = read_outcome(path, kernel);
    INFO("byte " << byte << ": " << outcome);
    REQUIRE((outcome.empty() || outcome == "error"));
    errors += outcome.empty() ? 0 : 1;
  }
  CHECK(errors == whole.size());
}

TEST_CASE("wtrace: other files are refused with the expectation") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.path("a.wtrace");
  CHECK_THROWS_WITH(open_wtrace(path), Catch::Contains("a.wtrace: cannot be opened"));
  CHECK_FALSE(is_wtrace(path));
  test::write_file(path, "");
  CHECK_THROWS_WITH(open_wtrace(path), Catch::Contains("too short"));
  test::write_file(path, std::string(4096, 'x'));
  CHECK_THROWS_WITH(open_wtrace(path), Catch::Contains("wrong magic bytes"));
  CHECK_FALSE(is_wtrace(path));
  CHECK_THROWS_AS(open_wtrace("/dev/null"), TraceError);
  CHECK_THROWS_AS(open_wtrace(directory.path(".")), TraceError);
}

TEST_CASE("wtrace: a newer file that older readers may read is read, one that they may not is refused") {
  const test::TemporaryDirectory directory;
  const std::string path = directory.path("a.wtrace");
  test::write_wtrace(path, {small_kernel()});
  CHECK(is_wtrace(path));
  std::string content = test::read_file(path);
  content[10] = 3;
  test::write_file(path, content);
  CHECK_THROWS_WITH(open_wtrace(path), Catch::Contains("needs a reader of version 3; expected at most 2"));
}

// A file with intact frames but an arbitrary index.
void write_index(const std::string& path, const InventedKernel& kernel,
                 const std::function<void(trace::Index&, trace::Group&)>& change) {
  wtrace::GroupEncoder encoder(kernel.launch);
  for (const BlockTrace& block : kernel.blocks) {
    encoder.add(block);
  }
  trace::Group group = encoder.take();
  trace::Index index;
  trace::Kernel& out = *index.add_commands()->mutable_kernel();
  for (auto* dim : {out.mutable_grid(), out.mutable_block(), out.mutable_cluster()}) {
    dim->set_x(1);
    dim->set_y(1);
    dim->set_z(1);
  }
  out.mutable_grid()->set_x(kernel.launch.grid.x);
  out.mutable_block()->set_x(kernel.launch.block.x);
  trace::GroupRef& ref = *out.add_groups();
  ref.set_block_count(group.block_count());
  ref.set_instructions(group.instructions());
  change(index, group);
  wtrace::FrameWriter writer(path);
  *index.add_functions() = writer.write(wtrace::FrameKind::kFunction, wtrace::to_message(*kernel.launch.program));
  trace::FrameRef& frame = *out.mutable_groups(0)->mutable_frame();
  const trace::FrameRef written = writer.write(wtrace::FrameKind::kGroup, group);
  frame.set_offset(written.offset() + frame.offset());
  frame.set_bytes(written.bytes() + frame.bytes());
  writer.finish(index);
}

struct Case {
  const char* name;
  std::function<void(trace::Kernel&, trace::Group&)> change;
  const char* message;
};

const std::vector<Case>& index_cases() {
  static const std::vector<Case> kCases = {
      {"grid of 2^96",
       [](auto& k, auto&) { k.mutable_grid()->set_x(~0U), k.mutable_grid()->set_y(~0U), k.mutable_grid()->set_z(~0U); },
       "grid is"},
      {"no grid", [](auto& k, auto&) { k.clear_grid(); }, "grid is (0,0,0)"},
      {"block of 2^20", [](auto& k, auto&) { k.mutable_block()->set_x(1U << 20U); }, "block is (1048576,1,1)"},
      {"larger grid", [](auto& k, auto&) { k.mutable_grid()->set_y(9); }, "blocks of the grid are not in any group"},
      {"smaller grid", [](auto& k, auto&) { k.mutable_grid()->set_x(1); }, "the rest of the grid"},
      {"function outside", [](auto& k, auto&) { k.set_function(1); }, "function 1; expected less than 1"},
      {"group outside the file", [](auto& k, auto&) { k.mutable_groups(0)->mutable_frame()->set_offset(1ULL << 60U); },
       "would be here; expected it between"},
      {"group with 2^64 bytes", [](auto& k, auto&) { k.mutable_groups(0)->mutable_frame()->set_bytes(~0ULL - 9999); },
       "would be here"},
      {"group one byte on", [](auto& k, auto&) { k.mutable_groups(0)->mutable_frame()->set_offset(1); },
       "expected kind 2 (group)"},
  };
  return kCases;
}

const std::vector<Case>& path_cases() {
  static const std::vector<Case> kCases = {
      {"first block", [](auto&, auto& g) { g.set_first_block(1); }, "as the index says"},
      {"instruction count",
       [](auto& k, auto& g) {
         g.set_instructions(1);
         k.mutable_groups(0)->set_instructions(1);
       },
       "'paths' has more than 1 instructions"},
      {"2^64 instructions",
       [](auto& k, auto& g) {
         g.set_instructions(~0ULL);
         k.mutable_groups(0)->set_instructions(~0ULL);
       },
       "'instructions' is 18446744073709551615"},
      {"2^32 paths", [](auto&, auto& g) { g.set_path_count(~0U); }, "'path_count' is 4294967295"},
      {"path outside", [](auto&, auto& g) { g.set_warp_paths("\x7f" + g.warp_paths().substr(1)); },
       "'warp_paths' names path 127"},
      {"paths cut", [](auto&, auto& g) { g.mutable_paths()->pop_back(); }, "'paths' ends early"},
      {"paths too long", [](auto&, auto& g) { g.mutable_paths()->push_back('\0'); },
       "'paths' has 1 bytes that no instruction uses"},
      {"run of 2^40",
       [](auto&, auto& g) {
         g.set_path_count(1);
         g.set_paths(std::string("\x01\x00\x80\x80\x80\x80\x80\x80\x01", 9));
       },
       "expected them inside the program"},
      {"run before 0",
       [](auto&, auto& g) {
         g.set_path_count(1);
         g.set_paths("\x01\x30\x01");
       },
       "expected them inside the program"},
      {"mask code 15",
       [](auto&, auto& g) {
         g.set_path_count(1);
         g.set_paths("\x01\x2f");
       },
       "mask code 15"},
      {"warp mask without column",
       [](auto&, auto& g) {
         g.clear_mask_columns();
         g.set_path_count(1);
         g.set_paths("\x01\x2b");
       },
       "expected a column in 'mask_columns'"},
      {"warp mask again without one",
       [](auto&, auto& g) {
         g.set_path_count(1);
         g.set_paths("\x01\x2c");
       },
       "before there is one"},
      {"number of 70 bits", [](auto&, auto& g) { g.set_warp_paths(std::string(10, '\xff')); }, "more than 64 bits"},
  };
  return kCases;
}

const std::vector<Case>& address_cases() {
  static const std::vector<Case> kCases = {
      {"mask columns cut",
       [](auto&, auto& g) {
         auto* c = g.add_mask_columns();
         c->set_instruction(1U << 31U);
       },
       "'mask_columns' names instruction 2147483648"},
      {"column twice", [](auto&, auto& g) { *g.add_address_columns() = g.address_columns(0); },
       "expected each at most once"},
      {"column missing",
       [](auto&, auto& g) {
         g.mutable_address_columns()->Clear();
         g.add_address_columns();
       },
       "'address_columns.shapes' ends early"},
      {"shape kind 9", [](auto&, auto& g) { g.set_shapes("\x09"); }, "'shapes' has kind 9"},
      {"shapes cut", [](auto&, auto& g) { g.set_shapes("\x02\x08\x08"); }, "'shapes' ends early"},
      {"no shapes", [](auto&, auto& g) { g.clear_shapes(); }, "'shapes' is empty"},
      {"predictor 17",
       [](auto&, auto& g) { g.mutable_address_columns(0)->set_predictor(static_cast<trace::OriginPredictor>(17)); },
       "'predictor' is 17"},
      {"shift 64", [](auto&, auto& g) { g.mutable_address_columns(0)->set_origin_shift(64); }, "expected less than 64"},
      {"origins too long", [](auto&, auto& g) { g.mutable_address_columns(0)->mutable_origins()->push_back('\0'); },
       "'address_columns.origins' has 1 bytes"},
      {"scatter of 9 bytes", [](auto&, auto& g) { g.mutable_address_columns(0)->set_scatter_bytes(9); },
       "expected 1 to 8 equal planes"},
      {"scatter cut",
       [](auto&, auto& g) {
         g.set_shapes("\x03");
         for (auto& c : *g.mutable_address_columns()) {
           c.clear_scatter();
           c.set_shapes(std::string(c.shapes().size(), '\0'));
         }
       },
       "'scatter' has 0 numbers; expected more"},
  };
  return kCases;
}

TEST_CASE("wtrace: texels that no instruction can have are refused with place and expectation") {
  const auto program = test::invented_program(1);
  program->opcodes = {"TEX.SCR.LL"};
  const bool texture = GENERATE(true, false);
  if (!texture) {
    program->opcodes = {"LDG.E"};
  }
  classify(program->opcodes[0], program->architecture, program->instructions[0]);
  InventedKernel kernel = test::invented_kernel(program, 1, 32);
  BlockTrace& block = kernel.blocks[0];
  const std::vector<Address> sectors = {0x41, 0x62};
  const std::uint32_t index = block.addresses.add_texels({.count = 2, .texel_bytes = 4}, sectors.data());
  block.instructions.push_back({0, kAllLanes, index, 0});
  test::end_warp(block);
  const test::TemporaryDirectory directory;
  const std::string path = directory.path("a.wtrace");
  // Count, bytes, filter, lanes and form; addresses as differences.
  const auto outcome = [&](const std::string& texels) {
    write_index(path, kernel,
                [&](auto&, trace::Group& group) { group.mutable_address_columns(0)->set_texels(texels); });
    try {
      test::difference_of_next(*open_wtrace(path), kernel);
    } catch (const TraceError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  using Catch::Contains;
  const std::string valid("\x01\x04\x00\x04\x00\x02", 6);
  if (!texture) {
    CHECK_THAT(outcome(valid), Contains("instruction 0 has 'texels'; expected them only of texture"));
    return;
  }
  CHECK(outcome(valid).empty());
  CHECK_THAT(outcome(""), Contains("'address_columns.texels' ends early"));
  CHECK_THAT(outcome(valid.substr(0, 5)), Contains("ends early"));
  CHECK_THAT(outcome(valid + "x"), Contains("'address_columns.texels' has 1 bytes"));
  CHECK_THAT(outcome(std::string("\x00\x04\x00\x04\x00", 5)), Contains("an access of 0 addresses"));
  CHECK_THAT(outcome(std::string("\xff\x7f\x04\x00\x04\x00", 6)), Contains("an access of 16383 addresses"));
  CHECK_THAT(outcome(std::string("\x21\x04\x00\x04\x01", 5)), Contains("expected at most 32"));
  CHECK_THAT(outcome(std::string("\x01\x20\x00\x04\x00\x02", 6)), Contains("texels of 32 bytes"));
  CHECK_THAT(outcome(std::string("\x01\x03\x00\x04\x00\x02", 6)), Contains("texels of 3 bytes"));
  CHECK_THAT(outcome(std::string("\x01\x04\x04\x04\x00\x02", 6)), Contains("filter 4"));
  CHECK_THAT(outcome(std::string("\x01\x04\x00\x05\x00\x02", 6)), Contains("groups of 5 lanes"));
  CHECK_THAT(outcome(std::string("\x01\x04\x00\x04\x02\x02", 6)), Contains("form 2"));
  CHECK_THAT(outcome(std::string("\x01\x04\x00\x04\x00\x04", 6)), Contains("sector 0x2; expected lowest bits"));
  CHECK_THAT(outcome(std::string("\x01\x04\x00\x04\x00\x12", 6)), Contains("sector 0x9; expected lowest bits"));
}

TEST_CASE("wtrace: contradictions with correct checksums are refused with place and expectation") {
  const test::TemporaryDirectory directory;
  const InventedKernel kernel = small_kernel();
  const std::string path = directory.path("a.wtrace");
  write_index(path, kernel, [](auto&, auto&) {});
  REQUIRE(read_outcome(path, kernel).empty());
  const auto cases = GENERATE(&index_cases, &path_cases, &address_cases);
  for (const Case& one : cases()) {
    write_index(path, kernel, [&](trace::Index& index, trace::Group& group) {
      one.change(*index.mutable_commands(0)->mutable_kernel(), group);
    });
    INFO(one.name);
    CHECK_THROWS_AS(test::difference_of_next(*open_wtrace(path), kernel), TraceError);
    CHECK_THROWS_WITH(test::difference_of_next(*open_wtrace(path), kernel),
                      Catch::Contains(one.message) && Catch::Contains("a.wtrace: "));
  }
}

TEST_CASE("wtrace: a program whose fields are out of range is refused") {
  struct FieldCase {
    std::function<void(trace::Function&)> change;
    const char* message;
  };
  const std::vector<FieldCase> cases = {
      {[](auto& f) { f.mutable_instructions(0)->set_pc(0x12); }, "pc 0x12 has a PC that is not a multiple of 8"},
      {[](auto& f) { f.mutable_instructions(0)->set_opcode(2); }, "has opcode 2; expected less than 2"},
      {[](auto& f) { f.mutable_instructions(0)->mutable_destinations(0)->set_first(256); }, "has destinations 256"},
      {[](auto& f) {
         f.mutable_instructions(0)->mutable_sources(0)->set_count(3);
         f.mutable_instructions(0)->mutable_sources(0)->set_first(255);
       },
       "has sources 3; expected less than 2"},
      {[](auto& f) { f.mutable_instructions(0)->add_destinations(); }, "has 3 destinations; expected at most 2"},
      {[](auto& f) { f.mutable_instructions(0)->set_guard(7); }, "has guard 7; expected less than 7"},
      {[](auto& f) { f.mutable_instructions(0)->mutable_control()->set_stall_cycles(16); }, "has stall_cycles 16"},
      {[](auto& f) { f.mutable_instructions(0)->set_text("not sass"); }, "expected an opcode"},
  };
  for (const FieldCase& one : cases) {
    trace::Function function = wtrace::to_message(*test::invented_program(2));
    one.change(function);
    CHECK_THROWS_WITH(wtrace::from_message(function), Catch::Contains(one.message));
  }
}

TEST_CASE("wtrace: a group of random bytes with a correct checksum is either read or refused") {
  const InventedKernel kernel = small_kernel();
  wtrace::GroupEncoder encoder(kernel.launch);
  for (const BlockTrace& block : kernel.blocks) {
    encoder.add(block);
  }
  const std::string whole = encoder.take().SerializeAsString();
  const auto size = static_cast<std::uint32_t>(kernel.launch.program->instructions.size());
  std::mt19937_64 random(11);
  std::size_t refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string changed = whole;
    for (std::uint64_t change = 0; change <= random() % 3; ++change) {
      changed[random() % changed.size()] = static_cast<char>(random());
    }
    trace::Group group;
    if (!group.ParseFromString(changed) || group.block_count() > 1000) {
      continue;
    }
    try {
      wtrace::GroupDecoder decoder(std::move(group), size, kernel.launch.warps_per_block());
      BlockTrace block;
      while (!decoder.finished()) {
        wtrace::CodedBlock coded;
        decoder.next(coded);
        decoder.expand(coded, block);
      }
    } catch (const wtrace::StreamError&) {
      ++refused;
    }
  }
  CHECK(refused > 1000);
}

}  // namespace
}  // namespace warpsim
