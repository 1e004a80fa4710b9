#include "app/simulation/library_fault.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "warpsim/mechanism.h"

namespace warpsim {
namespace {

const std::vector<ConfigValue> kWithLibrary{{"l2.replacement", "./libmine.so:clock", "--set"},
                                            {"l2.replacement_library", "0123456789abcdef", "derived"},
                                            {"sm.l1.replacement", "srrip", "gpu.yaml:7"}};

template <typename Error>
void rethrow(const Error& error, const std::vector<ConfigValue>& description) {
  try {
    throw error;
  } catch (const std::exception&) {
    rethrow_with_libraries(description);
  }
}

TEST_CASE("An error that nothing expects names the mechanisms of libraries, if there are any") {
  const std::runtime_error error("boo");
  CHECK_THROWS_AS(rethrow(error, kWithLibrary), LibraryFault);
  CHECK_THROWS_WITH(rethrow(error, kWithLibrary),
                    "boo\nThe run uses mechanisms of libraries, and the error may be theirs: ./libmine.so:clock");
  CHECK_THROWS_WITH(rethrow(error, {kWithLibrary[0], kWithLibrary[2]}), "boo");
}

TEST_CASE("Errors of the user, and lack of memory, stay as they are") {
  CHECK_THROWS_WITH(rethrow(ConfigError("wrong"), kWithLibrary), "wrong");
  CHECK_THROWS_AS(rethrow(TraceError("wrong"), kWithLibrary), TraceError);
  CHECK_THROWS_AS(rethrow(std::bad_alloc(), kWithLibrary), std::bad_alloc);
}

TEST_CASE("A counter that was not assigned is an error of the user") {
  CHECK_THROWS_AS(rethrow(mechanism::UnassignedCounter(), kWithLibrary), ConfigError);
  CHECK_THROWS_WITH(rethrow(mechanism::UnassignedCounter(), {}), Catch::Contains("was not assigned"));
}

}  // namespace
}  // namespace warpsim
