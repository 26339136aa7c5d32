/* Wrappers of the functions of the allocator. They count the bytes in use, because the allocator does not report
   the maximum of these bytes. The manual of glibc allows such wrappers ("Replacing malloc"). */
#include "CMalloc.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static atomic_bool counting;
static atomic_ptrdiff_t allocations;
static atomic_ptrdiff_t live, peak;

void count_allocations(bool counts) {
    live = 0;
    peak = 0;
    counting = counts;
}

ptrdiff_t counted_peak(void) { return peak; }

ptrdiff_t counted_allocations(void) { return allocations; }

static void *counted(void *block) {
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    if (block && atomic_load_explicit(&counting, memory_order_relaxed)) {
        ptrdiff_t size = (ptrdiff_t)malloc_usable_size(block), now = atomic_fetch_add(&live, size) + size, most = peak;
        while (now > most && !atomic_compare_exchange_weak(&peak, &most, now)) {}
    }
    return block;
}

static void discount(void *block) {
    if (block && atomic_load_explicit(&counting, memory_order_relaxed)) live -= (ptrdiff_t)malloc_usable_size(block);
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size)); }

void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
    void *new = memalign(alignment, size);
    if (new) *block = new;
    return new ? 0 : ENOMEM;
}

void *realloc(void *block, size_t size) {
    discount(block);
    void *new = __libc_realloc(block, size);
    if (!new && size) counted(block);
    return counted(new);
}

void free(void *block) {
    discount(block);
    __libc_free(block);
}
