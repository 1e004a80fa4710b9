// Numbers of launch and function attributes, the same in runtime and driver.
#pragma once

namespace warpsim::cuda {

inline constexpr int kAttributeWindow = 1;  // cudaLaunchAttributeAccessPolicyWindow
inline constexpr int kAttributeCooperative = 2;
inline constexpr int kAttributeSynchronizationPolicy = 3;
inline constexpr int kAttributeCluster = 4;
inline constexpr int kAttributeProgrammatic = 6;
inline constexpr int kAttributeProgrammaticEvent = 7;
inline constexpr int kAttributePriority = 8;
inline constexpr int kAttributeMemoryDomainMap = 9;
inline constexpr int kAttributeMemoryDomain = 10;
inline constexpr int kAttributeLaunchCompletionEvent = 12;
inline constexpr int kAttributeChangeable = 13;  // cudaLaunchAttributeDeviceUpdatableKernelNode

inline constexpr int kFunctionDynamicShared = 8;
inline constexpr int kFunctionCarveout = 9;
inline constexpr int kFunctionClusterWidth = 11;
inline constexpr int kFunctionClusterHeight = 12;
inline constexpr int kFunctionClusterDepth = 13;
inline constexpr int kFunctionLargerCluster = 14;
inline constexpr int kFunctionClusterPolicy = 15;

}  // namespace warpsim::cuda
