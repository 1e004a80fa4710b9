// What a program makes besides code and memory: streams, events and arrays, by their handles.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "cuda/handles.h"

namespace warpsim::cuda {

class ProgramObjects {
 public:
  // On this device, for which the thread makes them. Priorities beyond those of the GPU become the nearest one.
  StreamHandle create_stream(Device& device, unsigned flags, int priority);
  EventHandle create_event(const Device& device, unsigned flags);
  // All fail with kInvalidHandle.
  void destroy_event(EventHandle event);
  Event& event(EventHandle event);
  Array& array(ArrayHandle array);
  // 0 and the two handles of default streams are also streams: of the device that the thread uses.
  Stream& stream(StreamHandle stream);
  // One that was created. Later calls do not find it.
  std::unique_ptr<Stream> remove_stream(StreamHandle stream);

  ArrayHandle add_array(const Array& array);
  void remove_array(ArrayHandle array) { arrays_.erase(array); }

 private:
  std::map<StreamHandle, std::unique_ptr<Stream>> streams_;
  std::map<EventHandle, std::unique_ptr<Event>> events_;
  std::map<ArrayHandle, std::unique_ptr<Array>> arrays_;
  std::map<std::uint32_t, Stream> default_streams_;                                            // by GPU
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::unique_ptr<Stream>> thread_streams_;  // by thread and GPU
  std::uint64_t next_stream_ = 1;
};

}  // namespace warpsim::cuda
