// Errors in a PTX text.
#pragma once

#include "base/error.h"

namespace warpsim::ptx {

// "kernel.ptx:12:5: expected ..., found ..."
class PtxError : public UserError {
 public:
  using UserError::UserError;
};

}  // namespace warpsim::ptx
