#include "base/demangle.h"

#include <catch2/catch.hpp>

using warpsim::demangle;

TEST_CASE("Demangling: a mangled kernel name becomes readable, any other name stays") {
  CHECK(demangle("_Z8k_vecaddPKfS0_Pfi") == "k_vecadd(float const*, float const*, float*, int)");
  CHECK(demangle("nvjet_sm90_tst_64x48_64x15_2x4_h_bz_NNT") == "nvjet_sm90_tst_64x48_64x15_2x4_h_bz_NNT");
  CHECK(demangle("_Zbroken name") == "_Zbroken name");
  CHECK(demangle("").empty());
}
