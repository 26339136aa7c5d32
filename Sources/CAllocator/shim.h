#pragma once

/* The Glibc module lacks mallopt and malloc_trim. */
#include <malloc.h>
