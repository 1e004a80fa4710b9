#include "emulator/textures/texture_coordinates.h"

#include <algorithm>
#include <cmath>

namespace warpsim {

namespace {

// Hardware estimates lengths from the components, and regards the diagonals of a quad of threads too. Its rounding on
// the way is not modelled. Evidence as for sample_level().
double estimated_length(std::array<double, 3> gradient) {
  constexpr double kMiddle = 11.0 / 32;
  constexpr double kLeast = 0.25;
  for (double& each : gradient) {
    each = std::fabs(each);
  }
  std::sort(gradient.begin(), gradient.end());
  return gradient[2] + kMiddle * gradient[1] + kLeast * gradient[0];
}

}  // namespace

std::uint64_t extent_of(const TextureDescription& texture, std::uint32_t dimension) {
  return dimension == 0 ? texture.width : dimension == 1 ? texture.rows() : std::max<std::uint64_t>(texture.depth, 1);
}

CubeFace cube_face(double x, double y, double z) {
  const double ax = std::fabs(x);
  const double ay = std::fabs(y);
  const double az = std::fabs(z);
  CubeFace result;
  double longest = az;
  double s = z < 0 ? -x : x;
  double t = -y;
  result.face = z < 0 ? 5 : 4;
  if (ax > ay && ax > az) {
    longest = ax;
    s = x < 0 ? z : -z;
    result.face = x < 0 ? 1 : 0;
  } else if (ay > az) {
    longest = ay;
    s = x;
    t = y < 0 ? -z : z;
    result.face = y < 0 ? 3 : 2;
  }
  result.s = (s / longest + 1) / 2;
  result.t = (t / longest + 1) / 2;
  return result;
}

double level_of_gradients(const TextureDescription& texture, std::uint32_t dimensions,
                          const std::array<double, 3>& along_x, const std::array<double, 3>& along_y) {
  constexpr double kDiagonal = 11.0 / 16;
  std::array<double, 3> right = {};
  std::array<double, 3> down = {};
  std::array<double, 3> sum = {};
  std::array<double, 3> difference = {};
  for (std::uint32_t i = 0; i < dimensions; ++i) {
    const double texels = texture.normalized_coordinates ? static_cast<double>(extent_of(texture, i)) : 1.0;
    right[i] = along_x[i] * texels;
    down[i] = along_y[i] * texels;
    sum[i] = right[i] + down[i];
    difference[i] = right[i] - down[i];
  }
  return std::log2(std::max({estimated_length(right), estimated_length(down), kDiagonal * estimated_length(sum),
                             kDiagonal * estimated_length(difference)}));
}

}  // namespace warpsim
