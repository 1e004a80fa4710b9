// How the program ends.
#pragma once

namespace warpsim {

inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;  // a kernel failed, its results are not as expected, or points of a sweep failed
inline constexpr int kExitUserError = 2;
inline constexpr int kExitLimited = 3;        // --max-cycles was reached
inline constexpr int kExitInternalError = 4;  // a fault of the simulator
inline constexpr int kExitSignal = 128;       // and the number of the signal that ended the command

}  // namespace warpsim
