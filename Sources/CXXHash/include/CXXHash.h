#pragma once
#include <stddef.h>
#include <stdint.h>

/// The shortest secret that XXH3 takes, in bytes (`XXH3_SECRET_SIZE_MIN`).
#define CXXHASH_SECRET_SIZE_MIN 136

/// XXH3 of 128 bits in two words.
typedef struct {
    uint64_t low;
    uint64_t high;
} cxxhash_128;

// Compiled here with `XXH_INLINE_ALL`: libxxhash as a library would cost a call for each of its
// internal steps, and its macros cannot be imported into Swift.
uint64_t cxxhash_64(const void *bytes, size_t count, const void *secret, size_t secret_size);
cxxhash_128 cxxhash_128bits(const void *bytes, size_t count, const void *secret, size_t secret_size);

// The hash of two parts as if they were one.
cxxhash_128 cxxhash_128bits_of_two(
    const void *first, size_t first_count, const void *second, size_t second_count, const void *secret, size_t secret_size);
