/* malloc.h is not in the Glibc module. */
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>

/* Starts or stops counting the allocated bytes minus the freed bytes. Each count starts from 0. */
void count_allocations(bool counts);

/* Returns the maximum of the allocated bytes minus the freed bytes since counting was started. */
ptrdiff_t counted_peak(void);

/* Returns the number of blocks that were allocated since the start of the program. */
ptrdiff_t counted_allocations(void);
