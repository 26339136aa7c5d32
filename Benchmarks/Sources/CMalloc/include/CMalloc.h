/* malloc.h is not in the Glibc module. */
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>

/* Begins to count what is allocated less what is freed, from 0 on, or ends it. */
void count_allocations(bool counts);

/* The most that it was since counting began, in bytes. */
ptrdiff_t counted_peak(void);

/* How many blocks were allocated since the program began. */
ptrdiff_t counted_allocations(void);
