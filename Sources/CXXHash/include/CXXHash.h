#pragma once
#include <stddef.h>
#include <stdint.h>

/// The minimum number of bytes of a secret (`XXH3_SECRET_SIZE_MIN`).
#define CXXHASH_SECRET_SIZE_MIN 136

/// A 128-bit hash as two 64-bit words.
typedef struct {
    uint64_t low;
    uint64_t high;
} cxxhash_128;

// Wrappers for functions of libxxhash, because Swift cannot import the functions themselves: `XXH_INLINE_ALL` defines their names
// as macros. `XXH_INLINE_ALL` is needed to make the functions inline, which saves a call for each internal step.
uint64_t cxxhash_64(const void *bytes, size_t count, const void *secret, size_t secret_size);
cxxhash_128 cxxhash_128bits(const void *bytes, size_t count, const void *secret, size_t secret_size);

// Returns the hash of the concatenation of two parts.
cxxhash_128 cxxhash_128bits_of_two(
    const void *first, size_t first_count, const void *second, size_t second_count, const void *secret, size_t secret_size);
