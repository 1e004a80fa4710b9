#include "generations/throughput.h"

#include <catch2/catch.hpp>

#include "isa/lowering.h"

namespace warpsim::generations {
namespace {

constexpr double kSame = 0.02;      // of a printed rate
constexpr double kSequence = 0.07;  // of the rate that a sequence allows: its instructions also compete for issue slots

TEST_CASE("Every cell of the guides' throughput table is reached in the steady state") {
  for (const Row& row : rows()) {
    REQUIRE(row.cells.size() == capabilities().size());
    for (std::size_t i = 0; i < capabilities().size(); ++i) {
      const Capability& capability = capabilities()[i];
      const Cell& cell = row.cells[i];
      INFO(row.name << " on " << capability.name << ": " << sequence(row, capability));
      if (cell.kind == Cell::Kind::kRate) {
        CHECK(measure(row, capability) == Approx(cell.rate).epsilon(kSame));
      } else if (cell.kind == Cell::Kind::kSeveral) {
        const double allowed = bound(row, capability);
        CHECK(measure(row, capability) == Approx(allowed).epsilon(kSequence));
        CHECK((cell.rate == 0 || allowed == Approx(cell.rate).epsilon(kSame)));
      }
    }
  }
}

TEST_CASE("An operation that a capability lacks is not native there") {
  for (const Row& row : rows()) {
    for (std::size_t i = 0; i < capabilities().size(); ++i) {
      INFO(row.name << " on " << capabilities()[i].name);
      const Nativity nativity = lower(row.opcode, capabilities()[i].architecture).nativity;
      CHECK((row.cells[i].kind != Cell::Kind::kUnsupported || nativity != Nativity::kNative));
      CHECK((row.cells[i].kind != Cell::Kind::kSeveral || nativity != Nativity::kNative || !row.finish.empty()));
    }
  }
}

}  // namespace
}  // namespace warpsim::generations
