// Results of CUDA's functions. Runtime and driver share the numbers of most; driver_code() translates the others.
#pragma once

#include <stdexcept>
#include <string>

#include "cuda/device/device.h"

namespace warpsim::cuda {

enum Code : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kUnloading = 4,
  kInvalidConfiguration = 9,
  kInvalidPitch = 12,
  kInvalidSymbol = 13,
  kInvalidHostPointer = 16,
  kInvalidDevicePointer = 17,
  kInvalidTexture = 18,
  kInvalidChannelDescriptor = 20,
  kInvalidCopyDirection = 21,
  kMissingConfiguration = 52,
  kInvalidDeviceFunction = 98,
  kNoDeviceFound = 100,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kMapFailed = 205,
  kNoBinaryForGpu = 209,
  kUnsupportedLimit = 215,
  kPeerAccessUnsupported = 217,
  kInvalidPtx = 218,
  kUnsupportedPtxVersion = 222,
  kUnsupportedDeviceSynchronise = 225,
  kFileNotFound = 301,
  kOperatingSystem = 304,
  kInvalidHandle = 400,
  kIllegalState = 401,
  kLossyQuery = 402,
  kNotFound = 500,
  kNotReady = 600,
  kIllegalAddress = 700,
  kLaunchOutOfResources = 701,
  kLaunchTimeout = 702,
  kPeerAccessAlreadyEnabled = 704,
  kPeerAccessNotEnabled = 705,
  kAssert = 710,
  kHostMemoryAlreadyRegistered = 712,
  kHostMemoryNotRegistered = 713,
  kIllegalInstruction = 715,
  kMisalignedAddress = 716,
  kLaunchFailure = 719,
  kCooperativeTooLarge = 720,
  kNotPermitted = 800,
  kNotSupported = 801,
  kStreamCaptureUnsupported = 900,
  kStreamCaptureInvalidated = 901,
  kStreamCaptureMerge = 902,
  kStreamCaptureUnmatched = 903,
  kStreamCaptureUnjoined = 904,
  kStreamCaptureIsolation = 905,
  kStreamCaptureImplicit = 906,
  kCapturedEvent = 907,
  kStreamCaptureWrongThread = 908,
  kGraphUpdateFailure = 910,
  kInvalidClusterSize = 912,
  kUnknown = 999,
};

// Ends a call with its code; a message, if there is one, is printed once.
class CallError : public std::runtime_error {
 public:
  explicit CallError(int code, const std::string& message = {}) : std::runtime_error(message), code_(code) {}
  int code() const { return code_; }

 private:
  int code_;
};

inline void require_valid(bool condition) {
  if (!condition) {
    throw CallError(kInvalidValue);
  }
}

// Null for codes that do not exist.
const char* runtime_error_name(int code);
const char* driver_error_name(int code);
const char* error_text(int code);

int code_of(Failure failure);
// After these every call fails, until the program ends.
bool is_sticky(int code);
// The driver's code for the runtime's `code`.
int driver_code(int code);

}  // namespace warpsim::cuda
