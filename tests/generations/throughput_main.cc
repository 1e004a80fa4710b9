// Prints docs/throughput.md.
#include <iostream>

#include "generations/throughput.h"

int main() {
  std::cout << warpsim::generations::throughput_document();
}
