// Memory that the program maps itself: a vector that grows by chunks, one memory at two addresses, memory that another
// process writes, and vectors that lie in the memory of all GPUs, which a kernel adds as NVIDIA's sample vectorAddMMAP
// does. It checks itself.
#include <cuda.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <vector>

namespace {

int failures = 0;

void check(bool good, const char* what) {
  if (!good) {
    std::printf("failed: %s\n", what);
    ++failures;
  }
}
void must(CUresult code, const char* what) {
  if (code != CUDA_SUCCESS) {
    std::printf("failed: %s (%d)\n", what, static_cast<int>(code));
    ++failures;
  }
}

CUmemAllocationProp memory_of(int device, bool shared = false) {
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  properties.requestedHandleTypes = shared ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : CU_MEM_HANDLE_TYPE_NONE;
  return properties;
}

void open_to(CUdeviceptr address, size_t bytes, int device) {
  const CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, device}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  must(cuMemSetAccess(address, bytes, &access, 1), "access");
}

__global__ void add(const float* a, const float* b, float* c, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    c[i] = a[i] + b[i];
  }
}

// The chunks of a vector are mapped one after another into a range that is reserved at once, or in parts.
class GrowingVector {
 public:
  explicit GrowingVector(size_t chunk) : chunk_(chunk) {
    must(cuMemAddressReserve(&begin_, 4 * chunk, 0, 0, 0), "a range");
    reserved_ = 4 * chunk;
  }
  ~GrowingVector() {
    must(cuMemUnmap(begin_, mapped_), "all chunks at once");
    must(cuMemAddressFree(begin_, 4 * chunk_), "free the first range");
    if (reserved_ > 4 * chunk_) {
      must(cuMemAddressFree(begin_ + 4 * chunk_, reserved_ - 4 * chunk_), "free the second range");
    }
  }
  void grow() {
    if (mapped_ == reserved_) {
      CUdeviceptr next = 0;
      must(cuMemAddressReserve(&next, 4 * chunk_, 0, begin_ + reserved_, 0), "a range after the first one");
      check(next == begin_ + reserved_, "the range is where it was wanted");
      reserved_ += 4 * chunk_;
    }
    const CUmemAllocationProp properties = memory_of(0);
    CUmemGenericAllocationHandle handle = 0;
    must(cuMemCreate(&handle, chunk_, &properties, 0), "a chunk");
    must(cuMemMap(begin_ + mapped_, chunk_, 0, handle, 0), "map a chunk");
    must(cuMemRelease(handle), "the mapping keeps the chunk");
    open_to(begin_ + mapped_, chunk_, 0);
    mapped_ += chunk_;
  }
  CUdeviceptr begin() const { return begin_; }
  size_t bytes() const { return mapped_; }

 private:
  size_t chunk_;
  CUdeviceptr begin_ = 0;
  size_t reserved_ = 0;
  size_t mapped_ = 0;
};

void grow_a_vector(size_t chunk) {
  size_t before = 0;
  size_t after = 0;
  size_t total = 0;
  must(cuMemGetInfo(&before, &total), "free memory");
  {
    GrowingVector vector(chunk);
    for (int i = 0; i < 6; ++i) {
      vector.grow();
      must(cuMemsetD32(vector.begin() + vector.bytes() - chunk, 10 + i, 64), "the beginning of a chunk");
      must(cuMemsetD32(vector.begin() + vector.bytes() - 256, 100 + i, 64), "its end");
    }
    must(cuMemGetInfo(&after, &total), "free memory");
    check(before - after == 6 * chunk, "six chunks are in use");
    std::vector<unsigned> words(128);
    must(cuMemcpyDtoH(words.data(), vector.begin() + 2 * chunk - 256, 512), "a copy over two chunks");
    check(words[0] == 101 && words[63] == 101 && words[64] == 12 && words[127] == 12, "both chunks");
    // A kernel over the border of the two ranges.
    auto* const border = reinterpret_cast<float*>(vector.begin() + 4 * chunk - 128);
    const std::vector<float> ones(64, 1.0F);
    must(cuMemcpyHtoD(reinterpret_cast<CUdeviceptr>(border), ones.data(), 256), "ones");
    add<<<1, 64>>>(border, border, border, 64);
    std::vector<float> sums(64);
    must(cuMemcpyDtoH(sums.data(), reinterpret_cast<CUdeviceptr>(border), 256), "sums");
    check(sums == std::vector<float>(64, 2.0F), "sums over two ranges");
  }
  must(cuMemGetInfo(&after, &total), "free memory");
  check(before == after, "the memory is given back");
}

void map_twice(size_t chunk) {
  const CUmemAllocationProp properties = memory_of(0);
  CUmemGenericAllocationHandle handle = 0;
  CUdeviceptr address = 0;
  must(cuMemCreate(&handle, chunk, &properties, 0), "memory");
  must(cuMemAddressReserve(&address, 2 * chunk, 0, 0, 0), "a range");
  must(cuMemMap(address, chunk, 0, handle, 0), "map");
  must(cuMemMap(address + chunk, chunk, 0, handle, 0), "map again");
  open_to(address, 2 * chunk, 0);
  const std::vector<float> values(32, 1.5F);
  must(cuMemcpyHtoD(address, values.data(), 128), "values");
  auto* const first = reinterpret_cast<float*>(address);
  auto* const second = reinterpret_cast<float*>(address + chunk);
  add<<<1, 32>>>(first, second, second + 32, 32);
  std::vector<float> sums(32);
  must(cuMemcpyDtoH(sums.data(), address + 128, 128), "sums");
  check(sums == std::vector<float>(32, 3.0F), "one memory at two addresses");
  must(cuMemUnmap(address, chunk), "unmap");
  must(cuMemUnmap(address + chunk, chunk), "unmap");
  must(cuMemRelease(handle), "release");
  must(cuMemAddressFree(address, 2 * chunk), "free");
}

// Vectors in the memory of all GPUs in turn, in one range of addresses.
CUdeviceptr striped(size_t bytes, size_t chunk, int devices) {
  CUdeviceptr begin = 0;
  must(cuMemAddressReserve(&begin, bytes, 0, 0, 0), "a range");
  for (size_t at = 0; at < bytes; at += chunk) {
    const CUmemAllocationProp properties = memory_of(static_cast<int>(at / chunk % devices));
    CUmemGenericAllocationHandle handle = 0;
    must(cuMemCreate(&handle, chunk, &properties, 0), "a stripe");
    must(cuMemMap(begin + at, chunk, 0, handle, 0), "map a stripe");
    must(cuMemRelease(handle), "release a stripe");
  }
  std::vector<CUmemAccessDesc> all;
  for (int device = 0; device < devices; ++device) {
    all.push_back({{CU_MEM_LOCATION_TYPE_DEVICE, device}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE});
  }
  must(cuMemSetAccess(begin, bytes, all.data(), all.size()), "access of all GPUs");
  return begin;
}

void add_stripes(size_t chunk, int devices) {
  const size_t bytes = 2 * chunk;
  const CUdeviceptr a = striped(bytes, chunk, devices);
  const CUdeviceptr b = striped(bytes, chunk, devices);
  const CUdeviceptr c = striped(bytes, chunk, devices);
  // Around the border of the stripes.
  constexpr int kCount = 512;
  const size_t first = chunk - kCount / 2 * sizeof(float);
  std::vector<float> values(kCount);
  for (int i = 0; i < kCount; ++i) {
    values[i] = static_cast<float>(i);
  }
  must(cuMemcpyHtoD(a + first, values.data(), kCount * sizeof(float)), "a");
  must(cuMemcpyHtoD(b + first, values.data(), kCount * sizeof(float)), "b");
  add<<<4, 128>>>(reinterpret_cast<float*>(a + first), reinterpret_cast<float*>(b + first),
                  reinterpret_cast<float*>(c + first), kCount);
  std::vector<float> sums(kCount);
  must(cuMemcpyDtoH(sums.data(), c + first, kCount * sizeof(float)), "c");
  bool good = true;
  for (int i = 0; i < kCount; ++i) {
    good = good && sums[i] == 2.0F * static_cast<float>(i);
  }
  check(good, "sums of striped vectors");
  for (const CUdeviceptr vector : {a, b, c}) {
    must(cuMemUnmap(vector, bytes), "unmap");
    must(cuMemAddressFree(vector, bytes), "free");
  }
}

void send_descriptor(int to, int descriptor) {
  char byte = 0;
  iovec data = {&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  check(sendmsg(to, &message, 0) == 1, "send a descriptor");
}

int receive_descriptor(int from) {
  char byte = 0;
  iovec data = {&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  int descriptor = -1;
  if (recvmsg(from, &message, 0) == 1) {
    std::memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof descriptor);
  }
  return descriptor;
}

// The other process, which has a GPU of its own in the simulation: it doubles what is in the memory.
int double_values(int socket, size_t chunk) {
  must(cuInit(0), "the other process");
  CUcontext context = nullptr;
  must(cuDevicePrimaryCtxRetain(&context, 0), "context");
  must(cuCtxSetCurrent(context), "context");
  const int descriptor = receive_descriptor(socket);
  CUmemGenericAllocationHandle handle = 0;
  must(cuMemImportFromShareableHandle(&handle, reinterpret_cast<void*>(static_cast<long>(descriptor)),
                                      CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
       "import");
  CUdeviceptr address = 0;
  must(cuMemAddressReserve(&address, chunk, 0, 0, 0), "a range");
  must(cuMemMap(address, chunk, 0, handle, 0), "map");
  open_to(address, chunk, 0);
  auto* const values = reinterpret_cast<float*>(address);
  add<<<1, 64>>>(values, values, values, 64);
  must(cuCtxSynchronize(), "wait");
  return failures == 0 && write(socket, "d", 1) == 1 ? 0 : 1;
}

void share(int socket, size_t chunk) {
  const CUmemAllocationProp properties = memory_of(0, true);
  CUmemGenericAllocationHandle handle = 0;
  CUdeviceptr address = 0;
  int descriptor = -1;
  must(cuMemCreate(&handle, chunk, &properties, 0), "memory that can be shared");
  must(cuMemAddressReserve(&address, chunk, 0, 0, 0), "a range");
  must(cuMemMap(address, chunk, 0, handle, 0), "map");
  open_to(address, chunk, 0);
  const std::vector<float> values(64, 4.0F);
  must(cuMemcpyHtoD(address, values.data(), 256), "values");
  must(cuMemExportToShareableHandle(&descriptor, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0), "export");
  send_descriptor(socket, descriptor);
  char done = 0;
  check(read(socket, &done, 1) == 1 && done == 'd', "the other process has answered");
  std::vector<float> doubled(64);
  must(cuMemcpyDtoH(doubled.data(), address, 256), "what it has written");
  check(doubled == std::vector<float>(64, 8.0F), "the other process has written");
  close(descriptor);
}

}  // namespace

int main() {
  // The other process begins before CUDA does.
  constexpr size_t kChunk = size_t{2} << 20;
  int sockets[2] = {};
  check(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0, "a pair of sockets");
  const pid_t other = fork();
  if (other == 0) {
    close(sockets[0]);
    _exit(double_values(sockets[1], kChunk));
  }
  close(sockets[1]);
  must(cuInit(0), "driver");
  CUcontext context = nullptr;
  must(cuDevicePrimaryCtxRetain(&context, 0), "context");
  must(cuCtxSetCurrent(context), "context");
  int devices = 0;
  must(cuDeviceGetCount(&devices), "devices");
  const CUmemAllocationProp properties = memory_of(0);
  size_t granularity = 0;
  must(cuMemGetAllocationGranularity(&granularity, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM), "granularity");
  check(granularity == kChunk, "the granularity is 2 MiB");
  grow_a_vector(kChunk);
  map_twice(kChunk);
  add_stripes(kChunk, devices);
  share(sockets[0], kChunk);
  int status = 1;
  check(waitpid(other, &status, 0) == other && status == 0, "the other process ends");
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures == 0 ? 0 : 1;
}
