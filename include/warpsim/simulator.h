/* The simulator as a library: runs the launches of a trace, or kernels in PTX, on a GPU, as `warpsim run` does, and
 * hands out their statistics.
 *
 *     static int done(void* user, const warpsim_launch* launch) {
 *       uint64_t instructions = 0;
 *       warpsim_launch_counter(launch, "sm.sub_core.inst_executed", &instructions);
 *       ...
 *       return 0;
 *     }
 *     struct warpsim_run_options options = WARPSIM_RUN_OPTIONS;
 *     options.launch_done = done;
 *     char message[1000];
 *     if (warpsim_run("h200", "vecadd.wtrace", &options, message, sizeof message) == WARPSIM_ERROR) { puts(message); }
 *
 * Link with libwarpsim (CMake: find_package(warpsim), target warpsim::simulator). C and C++. Several threads may run
 * simulations at the same time. Names of counters and metrics are those of the results database: docs/statistics.md,
 * docs/metrics.md.
 */
#ifndef WARPSIM_SIMULATOR_H
#define WARPSIM_SIMULATOR_H

/* NOLINTBEGIN(modernize-deprecated-headers,modernize-use-using,readability-identifier-naming): this is C */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes when a function or the options change incompatibly; new options are added at the end. */
#define WARPSIM_SIMULATOR_VERSION 1

#define WARPSIM_EXPORT __attribute__((visibility("default")))

/* A launch that has ended, or its state at a sample. Valid during the call that it is passed to. */
typedef struct warpsim_launch warpsim_launch;

/* A result other than 0 ends the run. */
typedef int (*warpsim_callback)(void* user, const warpsim_launch* launch);

struct warpsim_run_options {
  uint32_t version;            /* WARPSIM_SIMULATOR_VERSION */
  uint32_t bytes;              /* of this struct */
  uint32_t threads;            /* of the simulation; 0: 1 */
  uint32_t keep_caches;        /* 0: caches are emptied before each launch */
  const char* const* settings; /* "key=value", as of --set */
  size_t setting_count;
  uint64_t max_cycles;             /* of a launch; 0: no limit */
  uint64_t sample_interval_cycles; /* core cycles between two samples; 0: none */
  void* user;                      /* passed to the callbacks */
  warpsim_callback launch_done;    /* may be null */
  warpsim_callback sample;         /* may be null; also called at the end of each launch */
  const char* launch_file;         /* with the launches of PTX or a cubin, as of --launch; null: a trace */
};
#define WARPSIM_RUN_OPTIONS \
  { WARPSIM_SIMULATOR_VERSION, sizeof(struct warpsim_run_options), 1, 0, NULL, 0, 0, 0, NULL, NULL, NULL, NULL }

enum warpsim_result {
  WARPSIM_COMPLETE = 0, /* all launches have ended */
  WARPSIM_STOPPED = 1,  /* a callback ended the run */
  WARPSIM_LIMITED = 2,  /* a launch reached max_cycles, and the run ended with it */
  WARPSIM_ERROR = 3     /* the message says why */
};

/* `gpu`: the name of a shipped description, or a file. `trace`: a .wtrace or a folder, or with a launch file PTX or a
 * cubin, whose kernels print to standard output; a kernel that fails and results that the launch file does not expect
 * are errors. `options` may be null. The message is empty unless the result is WARPSIM_ERROR; it is cut to
 * `message_bytes`, its end included. */
WARPSIM_EXPORT int warpsim_run(const char* gpu, const char* trace, const struct warpsim_run_options* options,
                               char* message, size_t message_bytes);

WARPSIM_EXPORT uint32_t warpsim_simulator_version(void);

WARPSIM_EXPORT uint32_t warpsim_launch_index(const warpsim_launch* launch);     /* in the trace, from 0 */
WARPSIM_EXPORT const char* warpsim_launch_kernel(const warpsim_launch* launch); /* demangled */
WARPSIM_EXPORT uint64_t warpsim_launch_cycles(const warpsim_launch* launch);    /* core cycles since it began */
WARPSIM_EXPORT double warpsim_launch_nanoseconds(const warpsim_launch* launch); /* 0 at a sample */

/* Counters by number: "component.name", summed over the instances of the component. */
WARPSIM_EXPORT size_t warpsim_launch_counter_count(const warpsim_launch* launch);
WARPSIM_EXPORT const char* warpsim_launch_counter_name(const warpsim_launch* launch, size_t number); /* null: none */
WARPSIM_EXPORT uint64_t warpsim_launch_counter_value(const warpsim_launch* launch, size_t number);
/* By name; 0 if there is such a counter. */
WARPSIM_EXPORT int warpsim_launch_counter(const warpsim_launch* launch, const char* name, uint64_t* value);

/* Metrics of Nsight Compute, of launches that have ended. The value of one that cannot be computed is NaN. */
WARPSIM_EXPORT size_t warpsim_launch_metric_count(const warpsim_launch* launch);
WARPSIM_EXPORT const char* warpsim_launch_metric_name(const warpsim_launch* launch, size_t number); /* null: none */
WARPSIM_EXPORT double warpsim_launch_metric_value(const warpsim_launch* launch, size_t number);
/* By name; 0 if there is such a metric. */
WARPSIM_EXPORT int warpsim_launch_metric(const warpsim_launch* launch, const char* name, double* value);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-deprecated-headers,modernize-use-using,readability-identifier-naming) */

#endif
