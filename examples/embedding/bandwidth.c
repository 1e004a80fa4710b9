/* Prints the bytes that DRAM moves in each interval of a launch, and ends the run when a launch is too slow.
 *
 * usage: bandwidth GPU TRACE [SETTING...]
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <warpsim/simulator.h>

struct course {
  uint64_t bytes;  /* at the latest sample */
  uint64_t cycles;
};

static uint64_t moved(const warpsim_launch* launch) {
  uint64_t read = 0;
  uint64_t written = 0;
  warpsim_launch_counter(launch, "dram_channel.bytes_read", &read);
  warpsim_launch_counter(launch, "dram_channel.bytes_written", &written);
  return read + written;
}

static int sample(void* user, const warpsim_launch* launch) {
  struct course* course = user;
  const uint64_t bytes = moved(launch);
  const uint64_t cycles = warpsim_launch_cycles(launch);
  if (cycles > course->cycles) {
    printf("  to cycle %" PRIu64 ": %.1f bytes per cycle\n", cycles,
           (double)(bytes - course->bytes) / (double)(cycles - course->cycles));
  }
  course->bytes = bytes;
  course->cycles = cycles;
  return 0;
}

static int launch_done(void* user, const warpsim_launch* launch) {
  double hits = 0;
  warpsim_launch_metric(launch, "lts__t_sectors_lookup_hit.sum", &hits);
  printf("launch %" PRIu32 ", %s: %" PRIu64 " cycles, %.0f ns, %.0f hits in L2\n", warpsim_launch_index(launch),
         warpsim_launch_kernel(launch), warpsim_launch_cycles(launch), warpsim_launch_nanoseconds(launch), hits);
  memset(user, 0, sizeof(struct course));
  return warpsim_launch_cycles(launch) > 10000000;
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: bandwidth GPU TRACE [SETTING...]\n");
    return 2;
  }
  struct course course = {0, 0};
  struct warpsim_run_options options = WARPSIM_RUN_OPTIONS;
  options.settings = (const char* const*)argv + 3;
  options.setting_count = (size_t)(argc - 3);
  options.sample_interval_cycles = 2000;
  options.user = &course;
  options.sample = sample;
  options.launch_done = launch_done;
  char message[1000];
  const int result = warpsim_run(argv[1], argv[2], &options, message, sizeof message);
  if (result == WARPSIM_ERROR) {
    fprintf(stderr, "bandwidth: %s\n", message);
  }
  return result;
}
