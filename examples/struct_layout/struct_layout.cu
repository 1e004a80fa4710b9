// The layout of structures and of dynamic shared memory, and methods that are found by a table at run time, or by the
// compiler.
struct Particle {
  float mass;
  float4 place;  // aligned to 16 bytes: 12 unused bytes precede it
};

__global__ void read_structure(Particle particle, int* layout, float* values) {
  layout[0] = static_cast<int>(sizeof(Particle));
  layout[1] = static_cast<int>(reinterpret_cast<char*>(&particle.place) - reinterpret_cast<char*>(&particle));
  values[0] = particle.mass;
  values[1] = particle.place.x;
  values[2] = particle.place.y;
  values[3] = particle.place.z;
  values[4] = particle.place.w;
}

// One piece of dynamic shared memory for three arrays, the wider types at multiples of their size.
__global__ void share_memory(int* offsets, float* sums) {
  extern __shared__ float memory[];
  auto* const shorts = reinterpret_cast<short*>(memory);
  auto* const floats = reinterpret_cast<float*>(&shorts[128]);
  auto* const ints = reinterpret_cast<int*>(&floats[64]);
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < 128) {
    shorts[thread] = static_cast<short>(thread);
  }
  if (thread < 64) {
    floats[thread] = 0.5F * static_cast<float>(thread);
  }
  ints[thread] = thread * thread;
  __syncthreads();
  if (thread == 0) {
    offsets[0] = static_cast<int>(reinterpret_cast<char*>(floats) - reinterpret_cast<char*>(shorts));
    offsets[1] = static_cast<int>(reinterpret_cast<char*>(ints) - reinterpret_cast<char*>(shorts));
  }
  sums[thread] = static_cast<float>(shorts[thread % 128]) + floats[thread % 64] + static_cast<float>(ints[255 - thread]);
}

class Shape {
 public:
  __device__ Shape(float a, float b) : a_(a), b_(b) {}
  __device__ virtual float area() const = 0;

 protected:
  float a_;
  float b_;
};
class Rectangle : public Shape {
 public:
  using Shape::Shape;
  __device__ float area() const override { return a_ * b_; }
};
class Triangle : public Shape {
 public:
  using Shape::Shape;
  __device__ float area() const override { return a_ * b_ / 2; }
};

__global__ void areas(float* out) {
  const int thread = static_cast<int>(threadIdx.x);
  const auto side = static_cast<float>(thread);
  const Rectangle rectangle(side, 3);
  const Triangle triangle(side, 5);
  const Shape* const shape = thread % 3 == 0 ? static_cast<const Shape*>(&triangle) : &rectangle;
  out[thread] = shape->area();
}

struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};
struct Product {
  __device__ float operator()(float a, float b) const { return a * b; }
};

// A kernel for any operation.
template <class Operation>
__global__ void combine(const float* a, const float* b, float* out, Operation operation) {
  out[threadIdx.x] = operation(a[threadIdx.x], b[threadIdx.x]);
}
template __global__ void combine<Sum>(const float*, const float*, float*, Sum);
template __global__ void combine<Product>(const float*, const float*, float*, Product);
