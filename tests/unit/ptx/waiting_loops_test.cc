#include "ptx/waiting_loops.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "unit/ptx/parse.h"

namespace warpsim::ptx {
namespace {

using Numbers = std::vector<std::uint32_t>;

// Back branches of waiting loops.
Numbers found(const std::string& body, const std::string& before = "") {
  const auto module = parse_in_kernel(body, before);
  const std::vector<bool> marks = branches_of_waiting_loops(*module, kernel_of(*module));
  CHECK(marks.size() == kernel_of(*module).body.size());
  Numbers result;
  for (std::uint32_t i = 0; i < marks.size(); ++i) {
    if (marks[i]) {
      result.push_back(i);
    }
  }
  return result;
}

// A loop that %p1 ends: instruction 0 and 1, then the branch.
std::string loop(const std::string& load, const std::string& test = "setp.eq.u32 %p1, %r1, 0;") {
  return "again: " + load + test + "@%p1 bra again; ret;";
}

TEST_CASE("a function without loops or without instructions has no waiting loop") {
  CHECK(found("").empty());
  CHECK(found("atom.global.cas.b32 %r1, [%rd1], 0, 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra end; mov.u32 %r2, 1; end: ret;")
            .empty());
}

TEST_CASE("a loop that ends depending on an atomic's result waits") {
  CHECK(found(loop("atom.global.cas.b32 %r1, [%rd1], 0, 1;")) == Numbers{2});
  CHECK(found(loop("atom.shared.exch.b32 %r1, [%r5], 1;")) == Numbers{2});
  CHECK(found(loop("atom.global.add.u32 %r1, [%rd1], 1;", "setp.lt.u32 %p1, %r1, 100;")) == Numbers{2});
}

TEST_CASE("a loop that ends depending on a load of shared data waits, with any other load it does not") {
  for (const std::string kind : {"volatile.global", "relaxed.gpu.global", "acquire.sys", "volatile.shared"}) {
    INFO(kind);
    CHECK(found(loop("ld." + kind + ".u32 %r1, [%rd1];")) == Numbers{2});
  }
  for (const std::string kind : {"global", "weak.global", "global.cg", "shared", "volatile.local", "const"}) {
    INFO(kind);
    CHECK(found(loop("ld." + kind + ".u32 %r1, [%rd1];")).empty());
  }
}

TEST_CASE("a loop that ends depending on an mbarrier waits") {
  CHECK(found("again: mbarrier.try_wait.parity.shared.b64 %p1, [%rd1], 0; @!%p1 bra again; ret;") == Numbers{1});
  CHECK(found("again: mbarrier.test_wait.shared.b64 %p1, [%rd1], %rd2; @%p1 bra out; bra again; out: ret;") ==
        Numbers{2});
  CHECK(
      found("again: mbarrier.arrive.shared.b64 %rd2, [%rd1]; setp.eq.u64 %p1, %rd3, 0; @%p1 bra again; ret;").empty());
}

TEST_CASE("a counted loop over atomics does not wait") {
  CHECK(found("mov.u32 %r1, 0; again: atom.global.add.u32 %r2, [%rd1], 1; ld.volatile.global.u32 %r3, [%rd2];\n"
              "add.u32 %r4, %r4, %r3; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r5; @%p1 bra again;\n"
              "setp.eq.u32 %p2, %r4, %r2; @%p2 bra end; mov.u32 %r6, 1; end: ret;")
            .empty());
}

TEST_CASE("a branch on data of others makes no waiting loop if it does not affect the loop's end") {
  const std::string body =
      "again: ld.volatile.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra skip; add.u32 %r2, %r2, 5;\n"
      "skip: add.u32 %r3, %r3, 1; setp.lt.u32 %p2, RIGHT, 100; @%p2 bra again; ret;";
  const auto with = [&](const std::string& right) {
    std::string text = body;
    return text.replace(text.find("RIGHT"), 5, right);
  };
  CHECK(found(with("%r3")).empty());
  CHECK(found(with("%r2")) == Numbers{6});
}

TEST_CASE("a loop waits with one of several ends") {
  // Until the flag is set or the iterations are over.
  CHECK(found("again: ld.volatile.global.u32 %r1, [%rd1]; setp.ne.u32 %p1, %r1, 0; @%p1 bra out; add.u32 %r2, %r2, 1;\n"
              "setp.lt.u32 %p2, %r2, 100; @%p2 bra again; out: ret;") == Numbers{5});
  CHECK(found("again: ld.volatile.global.u32 %r1, [%rd1]; setp.ne.u32 %p1, %r1, 0; @%p1 exit; bra again;") ==
        Numbers{3});
}

TEST_CASE("of nested loops only those with such an end wait") {
  // A lock in a counted loop; a wait for a flag before each attempt to lock.
  CHECK(found("again: atom.global.exch.b32 %r1, [%rd1], 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra again;\n"
              "add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 100; @%p2 bra again2; ret; again2: bra again;") ==
        Numbers{2});
  CHECK(found("outer: mov.u32 %r3, 0; inner: atom.global.exch.b32 %r1, [%rd1], 1; setp.ne.u32 %p1, %r1, 0;\n"
              "@%p1 bra inner; add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 100; @%p2 bra outer; ret;") == Numbers{3});
  CHECK(found("outer: mov.u32 %r3, 0; inner: ld.volatile.global.u32 %r1, [%rd1]; setp.ne.u32 %p1, %r1, 0;\n"
              "@%p1 bra inner; atom.global.exch.b32 %r2, [%rd1], 1; setp.ne.u32 %p2, %r2, 0; @%p2 bra outer; ret;") ==
        Numbers{3, 6});
}

TEST_CASE("a loop with its test before its body iterates at its back branch") {
  CHECK(found("bra test; body: nanosleep.u32 20; test: ld.volatile.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0;\n"
              "@%p1 bra body; ret;") == Numbers{4});
}

TEST_CASE("values are followed through memory of the thread") {
  // Compilers keep variables there for debugging.
  CHECK(found("again: atom.global.cas.b32 %r1, [%rd1], 0, 1; st.u32 [%rd2+8], %r1; ld.u32 %r2, [%rd2+8];\n"
              "setp.ne.u32 %p1, %r2, 0; @%p1 bra again; ret;") == Numbers{4});
  CHECK(found("again: atom.global.cas.b32 %r1, [%rd1], 0, 1; st.u32 [%rd2+4], %r1; ld.u32 %r2, [%rd2+8];\n"
              "setp.ne.u32 %p1, %r2, 0; @%p1 bra again; ret;")
            .empty());
  CHECK(found("again: atom.global.cas.b32 %r1, [%rd1], 0, 1; st.global.u32 [%rd2], %r1; ld.global.u32 %r2, [%rd2];\n"
              "setp.ne.u32 %p1, %r2, 0; @%p1 bra again; ret;")
            .empty());
}

TEST_CASE("a loop inside a waiting one is none of them, wherever its parts are in the text") {
  // The inner loop's header follows the block that returns to it.
  CHECK(found("again: ld.volatile.global.u32 %r1, [%rd1]; mov.u32 %r2, 0; bra.uni header;\n"
              "step: add.u32 %r2, %r2, 1;\n"
              "header: ld.shared.u32 %r3, [%r4]; setp.lt.u32 %p1, %r2, %r3; @%p1 bra step;\n"
              "setp.ne.u32 %p2, %r1, 0; @%p2 bra again; ret;") == Numbers{8});
}

TEST_CASE("the result of a call depends on the reads of its function") {
  const std::string functions =
      ".func (.param .b32 d) try_lock(.param .b64 a) { .reg .b64 %a; .reg .b32 %r; ld.param.b64 %a, [a];\n"
      "atom.cas.b32 %r, [%a], 0, 1; st.param.b32 [d], %r; ret; }\n"
      ".func (.param .b32 d) through(.param .b64 a) { .reg .b64 %a; .reg .b32 %r; .param .b64 x; .param .b32 y;\n"
      "ld.param.b64 %a, [a]; st.param.b64 [x], %a; call (y), try_lock, (x); ld.param.b32 %r, [y];\n"
      "st.param.b32 [d], %r; ret; }\n"
      ".func (.param .b32 d) twice(.param .b32 a) { .reg .b32 %r; ld.param.b32 %r, [a]; add.u32 %r, %r, %r;\n"
      "st.param.b32 [d], %r; ret; }\n";
  for (const std::string callee : {"try_lock", "through"}) {
    CHECK(found("again: { .param .b64 x; .param .b32 y; st.param.b64 [x], %rd1; call (y), " + callee +
                    ", (x);\nld.param.b32 %r1, [y]; } setp.ne.u32 %p1, %r1, 0; @%p1 bra again; ret;",
                functions) == Numbers{4});
  }
  const auto with_argument = [&](const std::string& argument) {
    return found("again: ld.volatile.global.u32 %r2, [%rd1]; { .param .b32 x; .param .b32 y; st.param.b32 [x], " +
                     argument +
                     ";\ncall (y), twice, (x); ld.param.b32 %r1, [y]; } setp.ne.u32 %p1, %r1, 0;\n"
                     "@%p1 bra again; ret;",
                 functions);
  };
  CHECK(with_argument("%r2") == Numbers{5});
  CHECK(with_argument("%r3").empty());
}

TEST_CASE("functions that call each other are followed once") {
  const std::string functions =
      ".func b();\n.func a() { .reg .b32 %r; .reg .b64 %a; call b; atom.global.add.u32 %r, [%a], 1; ret; }\n"
      ".func b() { call a; ret; }\n";
  CHECK(found("again: call b; setp.eq.u32 %p1, %r1, 0; @%p1 bra again; ret;", functions).empty());
}

}  // namespace
}  // namespace warpsim::ptx
