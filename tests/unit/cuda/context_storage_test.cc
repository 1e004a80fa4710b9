// Values that libraries keep with contexts.
#include "cuda/context_storage.h"

#include <catch2/catch.hpp>

namespace warpsim::cuda {
namespace {

TEST_CASE("context storage: a key has one value in each context") {
  ContextStorage storage;
  int key = 0;
  int first = 0;
  int second = 0;
  CHECK(storage.find(0, &key) == nullptr);
  storage.put(0, {&key, &first});
  storage.put(1, {&key, &second});
  REQUIRE(storage.find(0, &key) != nullptr);
  CHECK(storage.find(0, &key)->value == &first);
  storage.put(0, {&key, &second});
  CHECK(storage.find(0, &key)->value == &second);
  CHECK(storage.erase(0, &key));
  CHECK_FALSE(storage.erase(0, &key));
  CHECK(storage.find(1, &key)->value == &second);
}

TEST_CASE("context storage: all values of a GPU are taken at once") {
  ContextStorage storage;
  int keys[3] = {};
  for (int& key : keys) {
    storage.put(1, {&key, &key});
  }
  storage.put(0, {&keys[0], nullptr});
  storage.put(2, {&keys[0], nullptr});
  CHECK(storage.take_all(1).size() == 3);
  CHECK(storage.take_all(1).empty());
  CHECK(storage.find(0, &keys[0]) != nullptr);
  CHECK(storage.find(2, &keys[0]) != nullptr);
}

}  // namespace
}  // namespace warpsim::cuda
