// Exit codes of the program.
#pragma once

namespace warpsim {

inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed =
    1;  // a kernel failed or races, results are not as expected, points of a sweep failed
inline constexpr int kExitUserError = 2;
inline constexpr int kExitLimited = 3;        // --max-cycles or --max-instructions was reached
inline constexpr int kExitInternalError = 4;  // an error of the simulator
inline constexpr int kExitSignal = 128;       // plus the number of the signal that ended the command

}  // namespace warpsim
