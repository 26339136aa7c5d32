#pragma once

/* mallopt and malloc_trim are not in the Glibc module. */
#include <malloc.h>
