#include "frontend/workload/spare_objects.h"

#include <catch2/catch.hpp>
#include <string>

namespace warpsim {
namespace {

TEST_CASE("SpareObjects: what was given back is taken again as it was, otherwise there are copies of the first") {
  SpareObjects<std::string> spare("first");
  std::unique_ptr<std::string> one = spare.take();
  const std::unique_ptr<std::string> other = spare.take();
  CHECK(*one == "first");
  CHECK(*other == "first");
  *one = "used";
  spare.give_back(std::move(one));
  CHECK(*spare.take() == "used");
  CHECK(*spare.take() == "first");
}

}  // namespace
}  // namespace warpsim
