// Makes system calls fail while a server runs. This library is loaded before the C library. The file that the environment variable FAILING
// names has a `struct failing` for each function, which a test changes while the server runs.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
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

static struct failing *functions;

__attribute__((constructor)) static void load(void) {
    const char *path = getenv("FAILING");
    int (*next_open)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    int file = path ? next_open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *address = mmap(NULL, FUNCTIONS * sizeof(struct failing), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (address != MAP_FAILED) functions = address;
    close(file);
}

// Returns 0, or the error with which this call fails.
static int failure(enum function function) {
    uint32_t every = functions ? functions[function].every : 0;
    if (every == 0 || ++functions[function].calls % every != 0) return 0;
    functions[function].failures++;
    return functions[function].error;
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
    int error = functions && functions[WRITE].every && is_file_or_socket(file) ? failure(WRITE) : 0;
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
        int error = failure(OPEN); \
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
        int error = failure(OPEN); \
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
