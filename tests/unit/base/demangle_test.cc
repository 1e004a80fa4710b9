#include "base/demangle.h"

#include <catch2/catch.hpp>

using warpsim::demangle;
using warpsim::is_called;
using warpsim::plain_name;
using warpsim::short_function_name;

TEST_CASE("Demangling: a mangled kernel name becomes readable, any other name stays") {
  CHECK(demangle("_Z8k_vecaddPKfS0_Pfi") == "k_vecadd(float const*, float const*, float*, int)");
  CHECK(demangle("nvjet_sm90_tst_64x48_64x15_2x4_h_bz_NNT") == "nvjet_sm90_tst_64x48_64x15_2x4_h_bz_NNT");
  CHECK(demangle("_Zbroken name") == "_Zbroken name");
  CHECK(demangle("").empty());
}

TEST_CASE("Demangling: a plain name has no parameters, template arguments or result") {
  CHECK(plain_name("_Z8k_vecaddPKfS0_Pfi") == "k_vecadd");
  CHECK(plain_name("_Z5saxpyIfEvPT_") == "saxpy");  // void saxpy<float>(float*)
  CHECK(plain_name("_ZN4math5saxpyEPf") == "math::saxpy");
  CHECK(plain_name("_ZN12_GLOBAL__N_15saxpyEPf") == "saxpy");  // (anonymous namespace)::saxpy(float*)
  CHECK(plain_name("fails") == "fails");
}

TEST_CASE("Demangling: a function is found by any of its names") {
  for (const char* name : {"_Z5saxpyIfEvPT_", "void saxpy<float>(float*)", "saxpy<float>", "saxpy"}) {
    CHECK(is_called("_Z5saxpyIfEvPT_", name));
  }
  CHECK_FALSE(is_called("_Z5saxpyIfEvPT_", "saxpy<double>"));
  CHECK_FALSE(is_called("_Z5saxpyIfEvPT_", "sax"));
}

TEST_CASE("Demangling: a short name has no namespaces, template arguments, result and parameters") {
  CHECK(short_function_name("void at::native::reduce_kernel<512, 1, at::native::Op<float> >(Op)") == "reduce_kernel");
  CHECK(short_function_name("k_bfs_level(int const*, int)") == "k_bfs_level");
  CHECK(short_function_name("(anonymous namespace)::k(int)") == "k");
  CHECK(short_function_name("plain") == "plain");
}

TEST_CASE("a name for messages has short template arguments and no parameters") {
  CHECK(warpsim::name_for_message("k") == "k");
  CHECK(warpsim::name_for_message("_Z3badILi3EEvPif") == "bad<3>");
  const std::string many = "IiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiE";
  CHECK(warpsim::name_for_message("_Z4long" + many + "vv") == "long<...>");
}
