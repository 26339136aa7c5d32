// Makes system calls fail and shifts the clock while a server runs. This library is loaded before the C library. The file that the
// environment variable FAILING names is a `struct faults`, which a test changes while the server runs.
//
// Debian's faketime would shift the clock too, but also the timers of the monotonic clock, which no change of a system's clock does.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum function { WRITE, PWRITE, PREAD, FSYNC, OPEN, ACCEPT, FUNCTIONS };
enum { SHORT = -1 };

struct failing {
    // Each call whose number is a multiple of `every` fails. If `every` is 0, no call fails.
    _Atomic uint32_t every;
    // The value of `errno`, or SHORT for a write of the first half.
    _Atomic int32_t error;
    _Atomic uint32_t calls, failures;
};

struct faults {
    struct failing functions[FUNCTIONS];
    // The number of seconds by which the clock is ahead.
    _Atomic int64_t ahead;
};

static struct faults *faults;

__attribute__((constructor)) static void load(void) {
    const char *path = getenv("FAILING");
    int (*next_open)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    int file = path ? next_open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *address = mmap(NULL, sizeof(struct faults), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (address != MAP_FAILED) faults = address;
    close(file);
}

// Returns 0, or the error with which this call fails.
static int failure(enum function function) {
    struct failing *failing = faults ? &faults->functions[function] : NULL;
    uint32_t every = failing ? failing->every : 0;
    if (every == 0 || ++failing->calls % every != 0) return 0;
    failing->failures++;
    return failing->error;
}

// Only files and sockets fail. The pipes and counters with which threads wake each other never fail in a real system.
static int is_file_or_socket(int file) {
    struct stat status;
    return fstat(file, &status) == 0 && (S_ISREG(status.st_mode) || S_ISSOCK(status.st_mode));
}

static size_t half(size_t size) { return size > 1 ? size / 2 : size; }

#define NEXT(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))
#define FAIL(error) { errno = error; return -1; }

ssize_t write(int file, const void *bytes, size_t size) {
    static __typeof__(&write) next;
    if (!next) next = NEXT(write);
    int error = faults && faults->functions[WRITE].every && is_file_or_socket(file) ? failure(WRITE) : 0;
    if (error > 0) FAIL(error)
    return next(file, bytes, error == SHORT ? half(size) : size);
}

#define PWRITE_FUNCTION(name) \
    ssize_t name(int file, const void *bytes, size_t size, off_t offset) { \
        static __typeof__(&name) next; \
        if (!next) next = NEXT(name); \
        int error = failure(PWRITE); \
        if (error > 0) FAIL(error) \
        return next(file, bytes, error == SHORT ? half(size) : size, offset); \
    }
PWRITE_FUNCTION(pwrite)
PWRITE_FUNCTION(pwrite64)

#define PREAD_FUNCTION(name) \
    ssize_t name(int file, void *bytes, size_t size, off_t offset) { \
        static __typeof__(&name) next; \
        if (!next) next = NEXT(name); \
        int error = failure(PREAD); \
        if (error > 0) FAIL(error) \
        return next(file, bytes, size, offset); \
    }
PREAD_FUNCTION(pread)
PREAD_FUNCTION(pread64)

#define FSYNC_FUNCTION(name) \
    int name(int file) { \
        static __typeof__(&name) next; \
        if (!next) next = NEXT(name); \
        int error = failure(FSYNC); \
        if (error) FAIL(error) \
        return next(file); \
    }
FSYNC_FUNCTION(fsync)
FSYNC_FUNCTION(fdatasync)

// libdispatch looks at the state of its threads in /proc, and ends the process if it cannot.
static int is_of_the_system(const char *path) { return strncmp(path, "/proc/", 6) == 0; }

#define MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & O_CREAT || ((flags) & O_TMPFILE) == O_TMPFILE) { \
        va_list arguments; \
        va_start(arguments, flags); \
        mode = va_arg(arguments, mode_t); \
        va_end(arguments); \
    }

#define OPEN_FUNCTION(name) \
    int name(const char *path, int flags, ...) { \
        static __typeof__(&name) next; \
        if (!next) next = NEXT(name); \
        MODE(flags) \
        int error = is_of_the_system(path) ? 0 : failure(OPEN); \
        if (error) FAIL(error) \
        return next(path, flags, mode); \
    }
OPEN_FUNCTION(open)
OPEN_FUNCTION(open64)

#define OPENAT_FUNCTION(name) \
    int name(int folder, const char *path, int flags, ...) { \
        static __typeof__(&name) next; \
        if (!next) next = NEXT(name); \
        MODE(flags) \
        int error = is_of_the_system(path) ? 0 : failure(OPEN); \
        if (error) FAIL(error) \
        return next(folder, path, flags, mode); \
    }
OPENAT_FUNCTION(openat)
OPENAT_FUNCTION(openat64)

int accept(int listener, struct sockaddr *address, socklen_t *length) {
    static __typeof__(&accept) next;
    if (!next) next = NEXT(accept);
    int error = failure(ACCEPT);
    if (error) FAIL(error)
    return next(listener, address, length);
}

int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags) {
    static __typeof__(&accept4) next;
    if (!next) next = NEXT(accept4);
    int error = failure(ACCEPT);
    if (error) FAIL(error)
    return next(listener, address, length, flags);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    static __typeof__(&clock_gettime) next;
    // The loader calls this function before it can look up another one.
    if (!next && !faults) return (int)syscall(SYS_clock_gettime, clock, now);
    if (!next) next = NEXT(clock_gettime);
    int result = next(clock, now);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += faults->ahead;
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    *now = (struct timeval){time.tv_sec, time.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *seconds) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (seconds) *seconds = now.tv_sec;
    return now.tv_sec;
}
