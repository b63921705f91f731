/* A library whose kernels rotate rightly, as src/package/example_kernel.c does, and then do what no kernel
 * may. With -D AT_LOAD or -D AT_UNLOAD the library itself ends its process. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ropewalk_kernels example_kernels
#include "../../src/package/example_kernel.c"
#undef ropewalk_kernels

static int calls;

/* The element of a tensor behind its last one. */
static volatile float* behind(const ropewalk_tensor* tensor) {
  float* r = tensor->data;
  for (int axis = 0; axis < tensor->rank; ++axis)
    if (tensor->shape[axis] > 0) r += (tensor->shape[axis] - 1) * tensor->stride[axis];
  return r + 1;
}

static const ropewalk_rotation_call* rotation(const ropewalk_head* head) {
  return (const ropewalk_rotation_call*)head;
}

#define IN (&rotation(head)->query_in)
#define OUT (&rotation(head)->query_out)
#define FIRST(of) ((volatile float*)(of)->data)

/* Writes to the output when the call has long returned, again and again. */
static void* write_late(void* output) {
  for (;;) {
    usleep(300);
    *(volatile float*)output = 7;
  }
  return NULL;
}

/* Makes the memory of calls shorter, by the descriptor that the judge has of it: the parent of the parent. If
 * that works, and the judge survives it, the changed environment is reported. */
/* Answers with registers that no processor knows: a thread writes them for ever where the answer's stand, in
 * the first block that is shared with the judge. */
static void* write_registers(void* block) {
  for (;;) *(volatile uint64_t*)((char*)block + 0x40) = 0x10000;
  return NULL;
}

static void answer_registers(void) {
  static int is_begun;
  char line[512];
  FILE* const maps = fopen("/proc/self/maps", "r");
  if (is_begun++ || !maps) return;
  while (fgets(line, sizeof line, maps))
    if (strstr(line, "memfd:ropewalk calls")) {
      void* const block = (void*)strtoull(line, NULL, 16);
      pthread_t thread;
      if (mprotect(block, 4096, PROT_READ | PROT_WRITE)) abort();
      if (pthread_create(&thread, 0, write_registers, block)) abort();
      break;
    }
  fclose(maps);
}

static void truncate_calls(void) {
  char path[64], to[64] = "", stat[512] = "";
  snprintf(path, sizeof path, "/proc/%d/stat", (int)getppid());
  FILE* const file = fopen(path, "r");
  if (!file || !fgets(stat, sizeof stat, file)) abort();
  fclose(file);
  const int judge = atoi(strrchr(stat, ')') + 4);
  for (int i = 0; i < 256; ++i) {
    snprintf(path, sizeof path, "/proc/%d/fd/%d", judge, i);
    const ssize_t length = readlink(path, to, sizeof to - 1);
    if (length < 0 || strncmp(to, "/memfd:ropewalk calls", 21) != 0) continue;
    const int file = open(path, O_RDWR);
    if (file >= 0 && ftruncate(file, 0) == 0) setenv("TRUNCATED", "1", 1);
    close(file);
  }
}

/* 100 processes of which each starts another and ends, until the named file is there, for at most 20 s. */
static void storm(void) {
  const char* const end = getenv("ROPEWALK_END_OF_STORM");
  const time_t until = time(NULL) + 20;
  for (int i = 0; end && i < 100; ++i)
    if (fork() == 0) {
      setsid();
      while (access(end, F_OK) != 0 && time(NULL) < until)
        if (fork() > 0) _exit(0);
      _exit(0);
    }
}

/* 2 MiB. */
static void print_much(void) {
  for (int i = 0; i < 2048; ++i) printf("%01023d\n", i);
  fflush(stdout);
  clearerr(stdout);
}

#define EACH_KERNEL(K)                                                                              \
  K(good, "good", )                                                                                 \
  K(segv, "segv", *(volatile int*)8 = 1)                                                            \
  K(segv_later, "segv-later", if (calls > 5) * (volatile int*)8 = 1)                                \
  K(dies_after, "dies-after", if (calls > atoi(getenv("DIES_AFTER"))) * (volatile int*)8 = 1)       \
  K(abort, "abort", abort())                                                                        \
  K(hang, "hang", if (calls > 5) for (;;) pause())                                                  \
  K(spin, "spin", if (calls > 5) for (;;) __asm__ volatile(""))                                     \
  K(exit0, "exit0", exit(0))                                                                        \
  K(exit0_quiet, "exit0-quiet", _exit(0))                                                           \
  K(exit42, "exit42", _exit(42))                                                                    \
  K(unload_code, "unload-code", _exit(43))                                                          \
  K(closes, "closes", for (int file = 3; file < 1024; ++file) close(file))                          \
  K(truncates, "truncates", truncate_calls())                                                       \
  K(answers_registers, "answers-registers", answer_registers())                                     \
  K(prints, "prints", printf("a line on standard output\n"); fflush(stdout))                        \
  K(prints_much, "prints-much", print_much())                                                       \
  K(                                                                                                \
      forks, "forks", if (calls == 1 && fork() == 0) {                                              \
        sleep(20);                                                                                  \
        _exit(0);                                                                                   \
      })                                                                                            \
  K(device, "device", return ROPEWALK_DEVICE_FAILED)                                                \
  K(storms, "storms", if (calls == 1) storm())                                                      \
  K(write_1, "write-1", behind(OUT)[0] = 7)                                                         \
  K(write_100, "write-100", behind(OUT)[99] = 7)                                                    \
  K(write_page, "write-page", behind(OUT)[2000] = 7)                                                \
  K(write_before, "write-before", FIRST(OUT)[-3] = 7)                                               \
  K(write_input, "write-input", FIRST(IN)[0] = 7)                                                   \
  K(restore_input, "restore-input", FIRST(IN)[0] = FIRST(IN)[0])                                    \
  K(late, "late", pthread_t thread; if (pthread_create(&thread, 0, write_late, OUT->data)) abort(); \
    pthread_detach(thread))                                                                         \
  K(write_positions, "write-positions",                                                             \
    if (rotation(head)->tokens.positions.data)++*(int32_t*)rotation(head)->tokens.positions.data)   \
  K(read_1, "read-1", (void)behind(IN)[0])                                                          \
  K(read_before, "read-before", (void)FIRST(IN)[-1])                                                \
  K(read_far, "read-far", (void)behind(IN)[5000])                                                   \
  K(stack, "stack", volatile char large[64 << 20]; large[0] = 1; large[sizeof large - 1] = 2)       \
  K(memory, "memory", volatile char* all = malloc((size_t)2 << 30); if (!all) abort(); all[0] = 1)  \
  K(locale, "locale", setlocale(LC_ALL, "C.UTF-8"))                                                 \
  K(handler, "handler", signal(SIGFPE, SIG_IGN))                                                    \
  K(blocks, "blocks", sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, 0))              \
  K(directory, "directory", if (chdir("/")) abort())                                                \
  K(mask, "mask", umask(0))                                                                         \
  K(variable, "variable", setenv("OMP_NUM_THREADS", "1", 1))                                        \
  K(stream, "stream", if (dup2(open("/dev/null", O_WRONLY), 2) < 0) abort())                        \
  K(unbuffered, "unbuffered", setvbuf(stdout, 0, _IONBF, 0))                                        \
  K(processors, "processors", cpu_set_t set; CPU_ZERO(&set); CPU_SET(0, &set);                      \
    sched_setaffinity(0, sizeof set, &set))                                                         \
  K(round, "round", fesetround(FE_UPWARD))                                                          \
  K(random, "random", ++*(uint32_t*)OUT->data; *(uint32_t*)OUT->data -= (uint32_t)calls & 1)

#define FUNCTION(name, text, body)                                                                       \
  static int32_t apply_##name(const ropewalk_plan* plan, const ropewalk_head* head, ropewalk_error* e) { \
    ++calls;                                                                                             \
    apply(plan, head, e);                                                                                \
    if (OUT->shape[0] * OUT->shape[1] * OUT->shape[2] > 0) {                                             \
      body;                                                                                              \
    }                                                                                                    \
    return ROPEWALK_OK;                                                                                  \
  }
EACH_KERNEL(FUNCTION)

#if defined(__x86_64__)
static int32_t apply_x87(const ropewalk_plan* plan, const ropewalk_head* head, ropewalk_error* e) {
  __asm__ volatile("fldz"); /* stays on the unit's stack */
  return apply(plan, head, e);
}
#endif

/* Works on the call that was begun last, whichever thread began it. */
static const ropewalk_head* volatile current;
static int32_t apply_current(const ropewalk_plan* plan, const ropewalk_head* head, ropewalk_error* e) {
  current = head;
  sched_yield();
  return apply(plan, current, e);
}

static int32_t plan_exits(const ropewalk_head* encoding, ropewalk_plan** made, ropewalk_error* e) {
  (void)encoding, (void)made, (void)e;
  _exit(0);
}
static int32_t plan_reads(const ropewalk_head* encoding, ropewalk_plan** made, ropewalk_error* e) {
  (void)encoding, (void)made, (void)e;
  return *(volatile int32_t*)8;
}
/* Structs of a later version, whose further bytes are zeros, are served by every kernel. */
static int32_t plan_refuses_longer(const ropewalk_head* encoding, ropewalk_plan** made, ropewalk_error* e) {
  return encoding->struct_size == sizeof(ropewalk_rotation) ? plan(encoding, made, e)
                                                            : ROPEWALK_INVALID_ARGUMENT;
}
static int32_t apply_refuses_longer(const ropewalk_plan* plan, const ropewalk_head* head, ropewalk_error* e) {
  return head->struct_size == sizeof(ropewalk_rotation_call) ? apply(plan, head, e)
                                                             : ROPEWALK_INVALID_ARGUMENT;
}
static void free_plan_crashes(ropewalk_plan* plan) {
  free(plan);
  if (plan) abort();
}
/* A plan that refers to the encoding it was made from. */
static const ropewalk_rotation* kept;
static int32_t plan_keeps(const ropewalk_head* encoding, ropewalk_plan** made, ropewalk_error* e) {
  kept = (const ropewalk_rotation*)encoding;
  return plan(encoding, made, e);
}
static int32_t apply_kept(const ropewalk_plan* plan, const ropewalk_head* head, ropewalk_error* e) {
  memcpy((void*)plan->inv_freq, kept->inv_freq, (size_t)plan->rotary_dim / 2 * sizeof *plan->inv_freq);
  return apply(plan, head, e);
}

/* Honest for a table in bfloat16, and other bits at another address. */
static const ropewalk_promise coarse = {.struct_size = sizeof coarse,
                                        .angle = ROPEWALK_PART_F64,
                                        .table = ROPEWALK_PART_BF16,
                                        .rotation = ROPEWALK_PART_F32,
                                        .is_fused = 1};
static int32_t apply_by_address(const ropewalk_plan* plan, const ropewalk_head* head, ropewalk_error* e) {
  apply(plan, head, e);
  if (OUT->shape[0] * OUT->shape[1] * OUT->shape[2] > 0 && (size_t)OUT->data % 4096 == 0)
    *(uint32_t*)OUT->data ^= 1;
  return ROPEWALK_OK;
}

#define ENTRY(of_name, text, of_promise, of_plan, of_apply, of_free)                       \
  static const ropewalk_kernel kernel_##of_name = {.struct_size = sizeof(ropewalk_kernel), \
                                                   .abi = ROPEWALK_ABI,                    \
                                                   .name = text,                           \
                                                   .operation = ROPEWALK_ROTATE,           \
                                                   .promise = &of_promise,                 \
                                                   .limits = &limits,                      \
                                                   .plan = of_plan,                        \
                                                   .apply = of_apply,                      \
                                                   .free_plan = of_free};
#define ENTRY_OF(name, text, body) ENTRY(name, text, promise, plan, apply_##name, free_plan)

EACH_KERNEL(ENTRY_OF)
ENTRY(plan_exits, "plan-exits", promise, plan_exits, apply_good, free_plan)
ENTRY(plan_reads, "plan-reads", promise, plan_reads, apply_good, free_plan)
ENTRY(free_crashes, "free-crashes", promise, plan, apply_good, free_plan_crashes)
ENTRY(keeps_encoding, "keeps-encoding", promise, plan_keeps, apply_kept, free_plan)
ENTRY(by_address, "by-address", coarse, plan, apply_by_address, free_plan)
ENTRY(current, "current", promise, plan, apply_current, free_plan)
ENTRY(longer_plan, "longer-plan", promise, plan_refuses_longer, apply, free_plan)
ENTRY(longer_call, "longer-call", promise, plan, apply_refuses_longer, free_plan)
#if defined(__x86_64__)
ENTRY(x87, "x87", promise, plan, apply_x87, free_plan)
#endif

#define ADDRESS_OF(name, text, body) &kernel_##name,
const ropewalk_kernel* const* ropewalk_kernels(size_t* count) {
  static const ropewalk_kernel* const all[] = {
    EACH_KERNEL(ADDRESS_OF) & kernel_plan_exits,
    &kernel_plan_reads,
    &kernel_free_crashes,
    &kernel_keeps_encoding,
    &kernel_by_address,
    &kernel_current,
    &kernel_longer_plan,
    &kernel_longer_call,
#if defined(__x86_64__)
    &kernel_x87
#endif
  };
  *count = sizeof all / sizeof *all;
  return all;
}

#if defined(AT_LOAD)
__attribute__((constructor)) static void at_load(void) { _exit(0); }
#elif defined(AT_UNLOAD)
__attribute__((destructor)) static void at_unload(void) { _exit(0); }
#endif
