// An assertion that does not hold ends the kernel with its text.
#include <cassert>

__global__ void check(const int* values) {
  const int is_one = values[0];
  const int should_be_one = values[1];
  assert(is_one);
  assert(should_be_one);
}
