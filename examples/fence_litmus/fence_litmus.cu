// One block writes x, then y; another reads y, then x; with fences in between. A reader of the new y must see the new
// x. Without the fences nothing would forbid it.
__global__ void set_up(volatile int* x, volatile int* y) {
  x[threadIdx.x] = 1;
  y[threadIdx.x] = 2;
}

// Blocks 0, 2, ... write, blocks 1, 3, ... read the pair of their neighbour. Each thread has its own words.
__global__ void write_and_read(volatile int* x, volatile int* y, int* forbidden, int* seen) {
  const unsigned place = blockIdx.x / 2 * blockDim.x + threadIdx.x;
  if (blockIdx.x % 2 == 0) {
    x[place] = 10;
    __threadfence();
    y[place] = 20;
    return;
  }
  const int b = y[place];
  __threadfence();
  const int a = x[place];
  forbidden[place] = a == 1 && b == 20 ? 1 : 0;
  seen[place] = (a == 1 || a == 10) && (b == 2 || b == 20) ? 1 : 0;
}
