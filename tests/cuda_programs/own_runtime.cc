// Looks like a program with a static CUDA runtime: device code, and no library of CUDA.
[[gnu::used, gnu::section(".nv_fatbin")]] static const char kDeviceCode[] = "code";

int main() {
  return 0;
}
