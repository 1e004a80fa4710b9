#include "ptx/liveness.h"

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "unit/ptx/parse.h"

namespace warpsim::ptx {
namespace {

std::uint32_t live_words(const std::string& body) {
  INFO(body);
  return most_live_words(kernel_of(*parse_in_kernel(body)));
}

TEST_CASE("a function without instructions keeps nothing alive") {
  CHECK(live_words("") == 0);
  CHECK(live_words("ret;") == 0);
}

TEST_CASE("values live from their write to their last read") {
  // r1 and r2 before the sum, only r1 or only r3 otherwise.
  CHECK(live_words("mov.u32 %r1, 1; mov.u32 %r2, 2; add.u32 %r3, %r1, %r2; st.global.u32 [0], %r3; ret;") == 2);
  // In sequence they need one register.
  CHECK(live_words("mov.u32 %r1, 1; st.global.u32 [0], %r1; mov.u32 %r2, 2; st.global.u32 [0], %r2; ret;") == 1);
}

TEST_CASE("a value of 64 bits counts twice and a predicate does not count") {
  CHECK(live_words("ld.param.u64 %rd1, [a]; mov.u32 %r1, 1; st.global.u32 [%rd1], %r1; ret;") == 3);
  CHECK(live_words("mov.u32 %r1, 1; setp.eq.u32 %p1, %r1, 0; @%p1 st.global.u32 [0], 1; ret;") == 1);
}

TEST_CASE("a value that a loop needs is live in the whole loop") {
  // r1 (the bound) and r2 (the counter) live through the loop, r3 within.
  CHECK(live_words("mov.u32 %r1, 10; mov.u32 %r2, 0;\n"
                   "loop: mul.lo.u32 %r3, %r2, 2; st.global.u32 [0], %r3; add.u32 %r2, %r2, 1;\n"
                   "setp.lt.u32 %p1, %r2, %r1; @%p1 bra loop; ret;") == 3);
}

TEST_CASE("a value that only one side of a branch needs is not live on the other") {
  // At the branch r1 and r2 live; then r1 with r3 and r4, or only r2.
  CHECK(live_words("mov.u32 %r1, 1; mov.u32 %r2, 2; setp.eq.u32 %p1, %r1, 0; @%p1 bra other;\n"
                   "mov.u32 %r3, 3; mov.u32 %r4, 4; add.u32 %r3, %r3, %r4; add.u32 %r3, %r3, %r1;\n"
                   "st.global.u32 [0], %r3; ret;\nother: st.global.u32 [0], %r2; ret;") == 3);
}

TEST_CASE("a guarded write keeps the old value alive") {
  const std::string rest = " mov.u32 %r1, 7; add.u32 %r3, %r1, %r2; st.global.u32 [0], %r3; ret;";
  const std::string before = "mov.u32 %r1, 1; mov.u32 %r2, 2; setp.eq.u32 %p1, %r2, 0; st.global.u32 [0], 1;";
  CHECK(live_words(before + " @%p1" + rest) == 2);
  // Unguarded the first r1 is dead: only r2, then r1 and r2.
  CHECK(live_words("mov.u32 %r2, 2; st.global.u32 [0], %r2; mov.u32 %r1, 7; st.global.u32 [0], %r1; ret;") == 1);
  CHECK(live_words("mov.u32 %r2, 2; st.global.u32 [0], %r2; @%p1 mov.u32 %r1, 7; st.global.u32 [0], %r1; ret;") == 2);
}

TEST_CASE("an indexed branch leads to all labels of its table") {
  // r1 and r2 are needed at one label each, in addition to the index.
  CHECK(live_words("mov.u32 %r1, 1; mov.u32 %r2, 2; mov.u32 %r3, %tid.x;\n"
                   "table: .branchtargets one, two;\nbrx.idx %r3, table;\n"
                   "one: st.global.u32 [0], %r1; ret;\ntwo: st.global.u32 [0], %r2; ret;") == 3);
}

TEST_CASE("nothing lives past an exit unless the exit is guarded") {
  const std::string rest = " st.global.u32 [0], %r1; ret;";
  CHECK(live_words("mov.u32 %r1, 1; exit;" + rest) == 1);  // only the unreachable store
  CHECK(live_words("mov.u32 %r1, 1; mov.u32 %r2, 2; st.global.u32 [0], %r2; exit;" + rest) == 1);
  CHECK(live_words("mov.u32 %r1, 1; mov.u32 %r2, 2; st.global.u32 [0], %r2; @%p1 exit;" + rest) == 2);
}

TEST_CASE("what may be read before it is written: without a write, after a guarded one, and on one of two paths") {
  const auto needed = [](const std::string& body) {
    const std::unique_ptr<const Module> module = parse_in_kernel(body);
    const Function& kernel = kernel_of(*module);
    std::vector<std::string> names;
    read_before_written(kernel).each([&](std::uint32_t reg) { names.emplace_back(kernel.registers[reg].name); });
    return names;
  };
  using Names = std::vector<std::string>;
  CHECK(needed("").empty());
  CHECK(needed("mov.u32 %r1, 1; add.u32 %r2, %r1, %r1; ret;").empty());
  CHECK(needed("add.u32 %r2, %r1, 1; mov.u32 %r1, 1; ret;") == Names{"%r1"});
  CHECK(needed("setp.eq.u32 %p1, 0, 0; @%p1 mov.u32 %r1, 1; @%p1 add.u32 %r2, %r1, 1; ret;") == Names{"%r1"});
  CHECK(needed("setp.eq.u32 %p1, 0, 0; @%p1 bra over; mov.u32 %r1, 1;\nover: add.u32 %r2, %r1, 1; ret;") ==
        Names{"%r1"});
  CHECK(needed("loop: add.u32 %r1, %r2, 1; mov.u32 %r2, 1; bra loop;") == Names{"%r2"});
}

}  // namespace
}  // namespace warpsim::ptx
