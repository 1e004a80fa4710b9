#include "cuda/ipc/ipc_events.h"

#include <memory>
#include <utility>

#include "cuda/ipc/ipc_memory.h"
#include "cuda/ipc/shared_event.h"
#include "cuda/streams/stream_calls.h"
#include "emulator/execution/fault.h"

namespace warpsim::cuda {

namespace {

using State = SharedEvent::State;

constexpr const char* kLostText =
    "an interprocess event is waited for whose record will never be done: the process that has recorded it has ended, "
    "or its device has failed";

// A record in a stream. If the work goes away before it was done, those who wait are told.
class PendingRecord {
 public:
  explicit PendingRecord(std::shared_ptr<SharedEvent> event)
      : event_(std::move(event)), number_(event_->begin_record()) {}
  ~PendingRecord() {
    if (!done_) {
      event_->lose_record(number_);
    }
  }
  PendingRecord(const PendingRecord&) = delete;
  PendingRecord& operator=(const PendingRecord&) = delete;

  std::uint64_t number() const { return number_; }
  void end() {
    done_ = true;
    event_->end_record(number_);
  }

 private:
  std::shared_ptr<SharedEvent> event_;
  std::uint64_t number_;
  bool done_ = false;
};

// A record that someone waits for.
struct WaitedRecord {
  std::shared_ptr<SharedEvent> event;
  std::uint64_t number = 0;

  // For the device: a lost record ends it.
  bool is_done() const {
    const State state = event->state(number);
    if (state == State::kLost) {
      throw KernelFault(FaultKind::kTrap, kLostText);
    }
    return state == State::kDone;
  }
};

WaitedRecord latest_of(const Event& event) {
  return {event.shared, event.shared->latest()};
}

// The host itself waits, where the device can not.
void wait_in_host(Context& context, const WaitedRecord& record) {
  State state = State::kPending;
  context.wait_for_others([&] {
    state = record.event->state(record.number);
    return state != State::kPending;
  });
  if (state == State::kLost) {
    context.check({Failure::kTrap, kLostText});
  }
}

}  // namespace

EventHandle create_event(Context& context, unsigned flags) {
  constexpr unsigned kAllFlags = 0x7;
  const bool shared = (flags & Event::kInterprocess) != 0;
  if (flags > kAllFlags || (shared && (flags & Event::kDisableTiming) == 0)) {
    throw CallError(kInvalidValue);
  }
  if (!shared) {
    return context.create_event(flags);
  }
  require_ipc(context);
  auto content = std::make_shared<SharedEvent>();
  const EventHandle event = context.create_event(flags);
  context.event(event).share(std::move(content));
  context.note_other_processes();
  return event;
}

abi::IpcHandle export_event(Context& context, EventHandle event) {
  const Event& exported = context.event(event);
  if (exported.shared == nullptr) {
    throw CallError(kInvalidHandle, "a handle is requested of an event that was not created as an interprocess event");
  }
  return packed(exported.shared->handle());
}

EventHandle import_event(Context& context, const abi::IpcHandle& handle) {
  require_ipc(context);
  auto content = std::make_shared<SharedEvent>(event_handle(handle));
  const EventHandle event = context.create_event(Event::kInterprocess | Event::kDisableTiming);
  context.event(event).share(std::move(content));
  context.note_other_processes();
  return event;
}

void record_shared(Context& context, Event& event, StreamHandle stream) {
  const auto pending = std::make_shared<PendingRecord>(event.shared);
  event.record(put(context, stream, InstantOperation{[pending] { pending->end(); }}));
  event.own_record = pending->number();
}

void wait_for_shared(Context& context, StreamHandle stream, const Event& event) {
  const Stream& waiting = context.stream(stream);
  DeviceQueue& queue = context.queue_of(waiting);
  const WaitedRecord record = latest_of(event);
  if (record.number == event.own_record) {
    queue.stream_waits(waiting.number, event.work, event.edge);
  } else if (record.event->state(record.number) == State::kDone) {
    queue.stream_waits(waiting.number, nullptr, event.edge);  // the call takes its time
  } else if (!queue.holds_waits()) {
    wait_in_host(context, record);
  } else {
    Work work;
    work.kind = WorkKind::kValueWait;
    work.place.stream = waiting.number;
    work.passes = [record] { return record.is_done(); };
    queue.submit(std::move(work));
    context.check_device();
  }
}

void synchronize_shared(Context& context, const Event& event) {
  DeviceQueue& queue = context.device().queue();
  const WaitedRecord record = latest_of(event);
  if (record.number == event.own_record) {
    context.wait([&queue, work = event.work] { queue.wait(work); });
  } else if (!queue.holds_waits()) {
    wait_in_host(context, record);
  } else if (record.event->state(record.number) != State::kDone) {
    Work work;  // in no stream, so that the device works on while the host waits
    work.kind = WorkKind::kInstant;
    work.place.in_graph = true;
    work.passes = [record] { return record.is_done(); };
    const WorkHandle done = queue.submit(std::move(work));
    context.wait([&queue, &done] { queue.wait(done); });
  }
}

bool ask_shared(Context& context, const Event& event) {
  DeviceQueue& queue = context.device().queue();
  const WaitedRecord record = latest_of(event);
  if (record.number == event.own_record) {
    return queue.ask(event.work);
  }
  const bool asked = queue.ask(nullptr);  // the device works on meanwhile
  const State state = record.event->state(record.number);
  if (state == State::kLost) {
    context.check({Failure::kTrap, kLostText});
  }
  return asked && state == State::kDone;
}

}  // namespace warpsim::cuda
