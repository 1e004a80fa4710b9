#include "cuda/modules/program_objects.h"

#include <catch2/catch.hpp>
#include <thread>

#include "cuda/current_device.h"
#include "cuda/device/error_codes.h"

namespace warpsim::cuda {
namespace {

TEST_CASE("program objects: default streams are those of the device that the thread uses") {
  ProgramObjects objects;
  forget_devices();
  Stream& first = objects.stream(nullptr);
  CHECK(first.gpu == 0);
  CHECK(first.number == 0);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): CUDA's handles of default streams
  const auto handle = [](std::uintptr_t value) { return reinterpret_cast<StreamHandle>(value); };
  CHECK(&objects.stream(handle(1)) == &first);
  const Stream* const of_thread = &objects.stream(handle(2));
  CHECK(of_thread->number != 0);
  use_device(3);
  CHECK(objects.stream(nullptr).gpu == 3);
  CHECK(objects.stream(nullptr).number == 0);
  CHECK(objects.stream(handle(2)).number != of_thread->number);
  std::thread([&] {
    CHECK(&objects.stream(nullptr) == &first);
    CHECK(&objects.stream(handle(2)) != of_thread);
  }).join();
  forget_devices();
}

TEST_CASE("program objects: handles that do not exist are refused") {
  ProgramObjects objects;
  Stream stream;
  Event event;
  Array array;
  CHECK_THROWS_AS(objects.stream(&stream), CallError);
  CHECK_THROWS_AS(objects.remove_stream(&stream), CallError);
  CHECK_THROWS_AS(objects.event(&event), CallError);
  CHECK_THROWS_AS(objects.destroy_event(&event), CallError);
  CHECK_THROWS_AS(objects.array(&array), CallError);
  const ArrayHandle made = objects.add_array(array);
  CHECK(&objects.array(made) == made);
  objects.remove_array(made);
  CHECK_THROWS_AS(objects.array(made), CallError);
}

}  // namespace
}  // namespace warpsim::cuda
