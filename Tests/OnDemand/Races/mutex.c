// Makes the locks of a contended `Mutex` visible to ThreadSanitizer. A contended `Mutex` is locked and unlocked in libswiftSynchronization,
// which is not instrumented. Without this file, ThreadSanitizer wrongly reports a race on the data that the mutex protects. (A dozen lines
// with one `Mutex` and two threads reproduce the wrong report.)
//
// These functions are loaded before libswiftSynchronization and replace two of its functions. They call the replaced functions and notify
// ThreadSanitizer of each lock and unlock.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Functions of the ThreadSanitizer runtime. Processes without the runtime, such as `swift test` itself, do not have them.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

SWIFT void lock_slowly(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void unlock_slowly(SELF void *mutex) __asm__(UNLOCK);

SWIFT void lock_slowly(uint32_t thread, SELF void *mutex) {
    typedef SWIFT void (*Lock)(uint32_t, SELF void *);
    static _Atomic(Lock) lock;
    if (!lock) lock = (Lock)dlsym(RTLD_NEXT, LOCK);
    ((Lock)lock)(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock_slowly(SELF void *mutex) {
    typedef SWIFT void (*Unlock)(SELF void *);
    static _Atomic(Unlock) unlock;
    if (!unlock) unlock = (Unlock)dlsym(RTLD_NEXT, UNLOCK);
    if (__tsan_release) __tsan_release(mutex);
    ((Unlock)unlock)(mutex);
}
