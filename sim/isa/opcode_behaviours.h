// The behaviours that opcodes share: kind, pipe, timing class, class for summaries[, space, results, counted].
// One entry per hardware behaviour; opcode_rows.cc says which opcode has which.
#pragma once

#include "isa/opcode_rows.h"

namespace warpsim::behaviour {

using Kind = OpKind;
using Type = InstructionClass;
using Space = MemorySpace;

// Behaviours shared by many opcodes: kind, pipe, timing, class[, space, results, counted].
inline constexpr Behaviour kInteger{Kind::kCompute, Pipe::kAlu, TimingClass::kAlu, Type::kInteger};
constexpr Behaviour on_alu(TimingClass timing, Type type, Results results = Results::kRegister) {
  return {Kind::kCompute, Pipe::kAlu, timing, type, Space::kNone, results};
}
inline constexpr Behaviour kIntegerAdd = on_alu(TimingClass::kIntegerAdd, Type::kInteger);
inline constexpr Behaviour kLogic = on_alu(TimingClass::kLogic, Type::kInteger);
inline constexpr Behaviour kShift = on_alu(TimingClass::kShift, Type::kInteger);
inline constexpr Behaviour kBitField = on_alu(TimingClass::kBitField, Type::kInteger);
inline constexpr Behaviour kIntegerChoose =
    on_alu(TimingClass::kCompare, Type::kInteger);  // minimum, maximum, to 0 or -1
inline constexpr Behaviour kIntegerCompare = on_alu(TimingClass::kCompare, Type::kInteger, Results::kTwoPredicates);
inline constexpr Behaviour kPredicateLogic = on_alu(TimingClass::kAlu, Type::kInteger, Results::kTwoPredicates);
inline constexpr Behaviour kAbsoluteDifference = on_alu(TimingClass::kAbsoluteDifference, Type::kInteger);
inline constexpr Behaviour kVideoDifference = on_alu(TimingClass::kVideoDifference, Type::kInteger);
inline constexpr Behaviour kVideo = on_alu(TimingClass::kVideo, Type::kInteger);
inline constexpr Behaviour kVideoCompare = on_alu(TimingClass::kVideo, Type::kInteger, Results::kTwoPredicates);
inline constexpr Behaviour kIntegerOne{Kind::kCompute, Pipe::kAlu,   TimingClass::kAlu,
                                       Type::kInteger, Space::kNone, Results::kOne};
inline constexpr Behaviour kFloatOnAlu = on_alu(TimingClass::kAlu, Type::kFp32);
inline constexpr Behaviour kFloatChoose = on_alu(TimingClass::kCompare, Type::kFp32);
inline constexpr Behaviour kFloatCompare = on_alu(TimingClass::kCompare, Type::kFp32, Results::kTwoPredicates);
inline constexpr Behaviour kPackConversion{Kind::kCompute, Pipe::kAlu, TimingClass::kAlu, Type::kFp16};
inline constexpr Behaviour kFloat{Kind::kCompute, Pipe::kFma, TimingClass::kFp32, Type::kFp32};
inline constexpr Behaviour kDivisionCheck{Kind::kCompute, Pipe::kXu,    TimingClass::kConversion,
                                          Type::kFp32,    Space::kNone, Results::kOnePredicate};
inline constexpr Behaviour kIntegerMultiply{Kind::kCompute, Pipe::kFmaHeavy, TimingClass::kIntMultiply, Type::kInteger};
inline constexpr Behaviour kIntegerMultiplyWide{Kind::kCompute, Pipe::kFmaHeavy, TimingClass::kIntMultiplyWide,
                                                Type::kInteger};
inline constexpr Behaviour kHeavyAdd = kIntegerMultiply;  // VIADD shares the heavy FMA pipe, not the ALU (measured)
inline constexpr Behaviour kHalf{Kind::kCompute, Pipe::kFma, TimingClass::kFp16, Type::kFp16};
inline constexpr Behaviour kHalfOnTensor{Kind::kCompute, Pipe::kTensor, TimingClass::kFp16, Type::kFp16};
inline constexpr Behaviour kHalfCompare{Kind::kCompute, Pipe::kFma,   TimingClass::kFp16,
                                        Type::kFp16,    Space::kNone, Results::kTwoPredicates};
inline constexpr Behaviour kDouble{Kind::kCompute, Pipe::kFp64, TimingClass::kFp64, Type::kFp64};
inline constexpr Behaviour kDoubleCompare{Kind::kCompute, Pipe::kFp64,  TimingClass::kFp64,
                                          Type::kFp64,    Space::kNone, Results::kTwoPredicates};
inline constexpr Behaviour kTranscendental{Kind::kCompute, Pipe::kXu, TimingClass::kTranscendental, Type::kSpecial};
inline constexpr Behaviour kConvert{Kind::kCompute, Pipe::kXu, TimingClass::kConversion, Type::kSpecial};
inline constexpr Behaviour kBitCount{Kind::kCompute, Pipe::kXu, TimingClass::kBitCount, Type::kSpecial};
inline constexpr Behaviour kFindBit{Kind::kCompute, Pipe::kXu, TimingClass::kFindBit, Type::kSpecial};
inline constexpr Behaviour kBitReverse{Kind::kCompute, Pipe::kXu, TimingClass::kBitReverse, Type::kSpecial};
inline constexpr Behaviour kBitReverseOnAlu = on_alu(TimingClass::kBitReverse, Type::kInteger);

inline constexpr Behaviour kTensor{Kind::kCompute, Pipe::kTensor, TimingClass::kTensor, Type::kTensor};
inline constexpr Behaviour kWarpgroup{Kind::kWarpgroupMma, Pipe::kTensor, TimingClass::kTensor, Type::kTensor};
constexpr Behaviour warpgroup_control(Kind kind) {
  return {kind, Pipe::kNone, TimingClass::kOther, Type::kSync, Space::kNone, Results::kNone, false};
}
inline constexpr Behaviour kWarpgroupControl = warpgroup_control(Kind::kNop);
inline constexpr Behaviour kWarpgroupArrive = warpgroup_control(Kind::kWarpgroupArrive);
inline constexpr Behaviour kWarpgroupWait = warpgroup_control(Kind::kWarpgroupWait);
inline constexpr Behaviour kWarpgroupDependWait = warpgroup_control(Kind::kWarpgroupDependWait);
inline constexpr Behaviour kMoveMatrix{Kind::kCompute, Pipe::kLsu, TimingClass::kShuffle, Type::kTensor};

inline constexpr Behaviour kUniform{Kind::kCompute, Pipe::kUniform, TimingClass::kUniform, Type::kUniform};
inline constexpr Behaviour kUniformOne{Kind::kCompute, Pipe::kUniform, TimingClass::kUniform,
                                       Type::kUniform, Space::kNone,   Results::kOne};
inline constexpr Behaviour kUniformCompare{Kind::kCompute, Pipe::kUniform, TimingClass::kUniform,
                                           Type::kUniform, Space::kNone,   Results::kTwoPredicates};
inline constexpr Behaviour kUniformMove{
    Kind::kCompute, Pipe::kUniform, TimingClass::kUniform, Type::kUniform, Space::kNone, Results::kOne, false};
inline constexpr Behaviour kToUniform{Kind::kCompute, Pipe::kAlu, TimingClass::kUniform, Type::kUniform};
inline constexpr Behaviour kSpecialRegister{Kind::kCompute, Pipe::kLsu,   TimingClass::kSpecialRegister,
                                            Type::kInteger, Space::kNone, Results::kOne};
inline constexpr Behaviour kSpecialRegisterAdu{Kind::kCompute, Pipe::kAdu,   TimingClass::kSpecialRegister,
                                               Type::kUniform, Space::kNone, Results::kOne};
inline constexpr Behaviour kClockRegister{Kind::kCompute, Pipe::kAlu,   TimingClass::kAlu,
                                          Type::kInteger, Space::kNone, Results::kOne};
inline constexpr Behaviour kVote{Kind::kCompute,   Pipe::kAlu,   TimingClass::kVote,
                                 Type::kCrossLane, Space::kNone, Results::kAllButLast};
inline constexpr Behaviour kUniformVote{Kind::kCompute,   Pipe::kAdu,   TimingClass::kVote,
                                        Type::kCrossLane, Space::kNone, Results::kAllButLast};
inline constexpr Behaviour kReduceLanes{Kind::kCompute, Pipe::kAdu, TimingClass::kReduceLanes, Type::kCrossLane};
inline constexpr Behaviour kMatch{Kind::kCompute, Pipe::kAdu, TimingClass::kMatch, Type::kCrossLane};
inline constexpr Behaviour kShuffle{Kind::kShuffle, Pipe::kLsu, TimingClass::kShuffle, Type::kCrossLane};
inline constexpr Behaviour kElect{Kind::kCompute, Pipe::kAdu, TimingClass::kVote, Type::kCrossLane};

constexpr Behaviour memory(Kind kind, Type type, Space space, Results results) {
  return {kind, Pipe::kLsu, TimingClass::kMemory, type, space, results};
}
inline constexpr Behaviour kGlobalLoad = memory(Kind::kLoad, Type::kGlobal, Space::kGlobal, Results::kRegister);
inline constexpr Behaviour kGlobalStore = memory(Kind::kStore, Type::kGlobal, Space::kGlobal, Results::kNone);
inline constexpr Behaviour kGlobalAtomic = memory(Kind::kAtomic, Type::kGlobal, Space::kGlobal, Results::kRegister);
inline constexpr Behaviour kGlobalReduction = memory(Kind::kReduction, Type::kGlobal, Space::kGlobal, Results::kNone);
inline constexpr Behaviour kGenericLoad = memory(Kind::kLoad, Type::kGeneric, Space::kGeneric, Results::kRegister);
inline constexpr Behaviour kGenericStore = memory(Kind::kStore, Type::kGeneric, Space::kGeneric, Results::kNone);
inline constexpr Behaviour kGenericAtomic = memory(Kind::kAtomic, Type::kGeneric, Space::kGeneric, Results::kRegister);
inline constexpr Behaviour kGenericReduction =
    memory(Kind::kReduction, Type::kGeneric, Space::kGeneric, Results::kNone);
inline constexpr Behaviour kLocalLoad = memory(Kind::kLoad, Type::kLocal, Space::kLocal, Results::kRegister);
inline constexpr Behaviour kLocalStore = memory(Kind::kStore, Type::kLocal, Space::kLocal, Results::kNone);
inline constexpr Behaviour kSharedLoad = memory(Kind::kLoad, Type::kShared, Space::kShared, Results::kRegister);
inline constexpr Behaviour kSharedStore = memory(Kind::kStore, Type::kShared, Space::kShared, Results::kNone);
inline constexpr Behaviour kSharedAtomic = memory(Kind::kAtomic, Type::kShared, Space::kShared, Results::kRegister);
inline constexpr Behaviour kLoadMatrix = memory(Kind::kLoadMatrix, Type::kShared, Space::kShared, Results::kRegister);
inline constexpr Behaviour kStoreMatrix = memory(Kind::kStoreMatrix, Type::kShared, Space::kShared, Results::kNone);
inline constexpr Behaviour kAsyncCopy = memory(Kind::kAsyncCopy, Type::kGlobal, Space::kGlobal, Results::kNone);
inline constexpr Behaviour kAsyncCommit = memory(Kind::kAsyncCommit, Type::kSync, Space::kNone, Results::kNone);
// Shared memory of another block of the cluster; addresses are not recorded.
inline constexpr Behaviour kClusterStore = memory(Kind::kStore, Type::kShared, Space::kNone, Results::kNone);
inline constexpr Behaviour kClusterReduction = memory(Kind::kReduction, Type::kShared, Space::kNone, Results::kNone);
inline constexpr Behaviour kConstantLoad{Kind::kConstantLoad, Pipe::kAdu,       TimingClass::kConstantLoad,
                                         Type::kConstant,     Space::kConstant, Results::kOne};
// The constant is looked up when it issues, so that a hit takes as long as other uniform instructions: ptxas 13.0
// leaves 3 cycles to its readers and no barrier.
inline constexpr Behaviour kUniformConstantLoad{
    Kind::kConstantLoad, Pipe::kUniform, TimingClass::kUniform, Type::kConstant, Space::kConstant,
    Results::kOne,       false};
inline constexpr Behaviour kAttributeLoad = memory(Kind::kCompute, Type::kOther, Space::kNone, Results::kRegister);
inline constexpr Behaviour kAttributeStore = memory(Kind::kCompute, Type::kOther, Space::kNone, Results::kNone);
inline constexpr Behaviour kTexture{Kind::kTexture, Pipe::kTex,      TimingClass::kMemory,
                                    Type::kTexture, Space::kTexture, Results::kRegister};
inline constexpr Behaviour kSurface = kTexture;
inline constexpr Behaviour kSurfaceStore{Kind::kTexture, Pipe::kTex,      TimingClass::kMemory,
                                         Type::kTexture, Space::kTexture, Results::kNone};
inline constexpr Behaviour kBulkCopy{Kind::kBulkCopy, Pipe::kTma,   TimingClass::kMemory,
                                     Type::kBulkCopy, Space::kNone, Results::kNone};
inline constexpr Behaviour kMbarrier{Kind::kMbarrier, Pipe::kAdu,   TimingClass::kMemory,
                                     Type::kSync,     Space::kNone, Results::kRegister};
inline constexpr Behaviour kMbarrierArrive{Kind::kMbarrier, Pipe::kLsu,   TimingClass::kMemory,
                                           Type::kSync,     Space::kNone, Results::kNone};

constexpr Behaviour control(Kind kind, Pipe pipe, bool counted) {
  return {kind, pipe, TimingClass::kBranch, Type::kControl, Space::kNone, Results::kNone, counted};
}
inline constexpr Behaviour kBranch = control(Kind::kBranch, Pipe::kCbu, true);
inline constexpr Behaviour kPlainBranch = control(Kind::kBranch, Pipe::kCbu, false);
inline constexpr Behaviour kCall = kBranch;
inline constexpr Behaviour kStackBranch = kBranch;
inline constexpr Behaviour kExit = control(Kind::kExit, Pipe::kCbu, true);
inline constexpr Behaviour kConvergence = control(Kind::kCompute, Pipe::kCbu, true);
inline constexpr Behaviour kConvergenceMove{Kind::kCompute, Pipe::kCbu,   TimingClass::kBranch,
                                            Type::kControl, Space::kNone, Results::kOne};
inline constexpr Behaviour kSleep = control(Kind::kSleep, Pipe::kCbu, true);
inline constexpr Behaviour kGridTrigger = control(Kind::kGridTrigger, Pipe::kCbu, true);
inline constexpr Behaviour kGridWait{Kind::kGridWait, Pipe::kNone, TimingClass::kOther, Type::kSync, Space::kNone,
                                     Results::kNone,  false};
inline constexpr Behaviour kDispatch{Kind::kNop,     Pipe::kNone, TimingClass::kOther, Type::kOther, Space::kNone,
                                     Results::kNone, false};
inline constexpr Behaviour kProgramCounter{Kind::kCompute, Pipe::kAlu,   TimingClass::kAlu,
                                           Type::kInteger, Space::kNone, Results::kOne};

constexpr Behaviour synchronise(Kind kind, Pipe pipe, TimingClass timing, bool counted) {
  return {kind, pipe, timing, Type::kSync, Space::kNone, Results::kNone, counted};
}
inline constexpr Behaviour kBarrier = synchronise(Kind::kBarrier, Pipe::kAdu, TimingClass::kBarrier, true);
inline constexpr Behaviour kClusterArrive = synchronise(Kind::kClusterArrive, Pipe::kAdu, TimingClass::kBarrier, true);
inline constexpr Behaviour kClusterWait = synchronise(Kind::kClusterWait, Pipe::kAdu, TimingClass::kBarrier, true);
inline constexpr Behaviour kBarrierRead{Kind::kCompute, Pipe::kAdu,   TimingClass::kBarrier,
                                        Type::kSync,    Space::kNone, Results::kOne};
inline constexpr Behaviour kBarrierWrite = synchronise(Kind::kCompute, Pipe::kAdu, TimingClass::kBarrier, true);
inline constexpr Behaviour kDependBarrier = synchronise(Kind::kDependBarrier, Pipe::kNone, TimingClass::kOther, false);
inline constexpr Behaviour kDependBarrierTexture = synchronise(Kind::kNop, Pipe::kNone, TimingClass::kOther, false);
inline constexpr Behaviour kFence = synchronise(Kind::kMembar, Pipe::kLsu, TimingClass::kMembar, true);
// They report errors of the accesses before them; the fence that the compiler puts before them has waited for these.
inline constexpr Behaviour kErrorBarrier = synchronise(Kind::kNop, Pipe::kLsu, TimingClass::kMembar, true);
inline constexpr Behaviour kClusterErrorBarrier = synchronise(Kind::kNop, Pipe::kLsu, TimingClass::kMembar, false);
inline constexpr Behaviour kCacheControl{Kind::kCacheControl, Pipe::kLsu,   TimingClass::kMembar,
                                         Type::kOther,        Space::kNone, Results::kNone};
inline constexpr Behaviour kCacheInvalidate{Kind::kCacheControl, Pipe::kTex,   TimingClass::kMembar,
                                            Type::kOther,        Space::kNone, Results::kNone};
inline constexpr Behaviour kAddressQuery = memory(Kind::kCompute, Type::kOther, Space::kNone, Results::kRegister);

}  // namespace warpsim::behaviour
