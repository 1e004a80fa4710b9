// What a texture returns: bytes as numbers from 0 to 1, coordinates that wrap, one channel of the four pixels around a
// point, elements of linear memory, a table with values between its entries, faces of a cube.
__global__ void read_normalized(float* out, cudaTextureObject_t bytes) {
  out[threadIdx.x] = tex1D<float>(bytes, static_cast<float>(threadIdx.x) + 0.5F);
}

__global__ void read_at(float* out, cudaTextureObject_t line, const float* coordinates) {
  out[threadIdx.x] = tex1D<float>(line, coordinates[threadIdx.x]);
}

__global__ void gather(int* out, cudaTextureObject_t pixels, float x, float y) {
  const uchar4 third = tex2Dgather<uchar4>(pixels, x, y, 2);
  out[0] = third.x;
  out[1] = third.y;
  out[2] = third.z;
  out[3] = third.w;
}

__global__ void fetch(int* out, cudaTextureObject_t numbers) {
  out[threadIdx.x] = tex1Dfetch<int>(numbers, 63 - static_cast<int>(threadIdx.x));
}

// A function from 0 to `range`, given by `entries` values of it at equal distances.
__global__ void look_up(float* out, cudaTextureObject_t table, float range, int entries) {
  const float x = range * static_cast<float>(threadIdx.x) / static_cast<float>(blockDim.x - 1);
  out[threadIdx.x] = tex1D<float>(table, static_cast<float>(entries - 1) / range * x + 0.5F);
}

// The gathered texels are selected with eight fractional bits.
__global__ void gather_floats(float* out, cudaTextureObject_t pixels, float x, float y) {
  const float4 four = tex2Dgather<float4>(pixels, x, y, 0);
  out[0] = four.x;
  out[1] = four.y;
  out[2] = four.z;
  out[3] = four.w;
}

// The six directions of each of the cubes.
__global__ void look_around(float* out, cudaTextureObject_t cubes) {
  const int face = static_cast<int>(threadIdx.x) % 6;
  const float along = face % 2 == 0 ? 1.0F : -1.0F;
  const float x = face / 2 == 0 ? along : 0.0F;
  const float y = face / 2 == 1 ? along : 0.0F;
  const float z = face / 2 == 2 ? along : 0.0F;
  out[threadIdx.x] = texCubemapLayered<float>(cubes, x, y, z, static_cast<int>(threadIdx.x) / 6);
}
