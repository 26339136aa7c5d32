#pragma once

/* mallopt is not in the Glibc module. */
#include <malloc.h>
