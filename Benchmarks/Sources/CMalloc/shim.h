/* malloc.h is not in the Glibc module. */
#include <malloc.h>
