#include "CXXHash.h"
#define XXH_INLINE_ALL
#include <xxhash.h>

_Static_assert(CXXHASH_SECRET_SIZE_MIN == XXH3_SECRET_SIZE_MIN, "the header repeats the minimum of XXH3");

uint64_t cxxhash_64(const void *bytes, size_t count, const void *secret, size_t secret_size) {
    return XXH3_64bits_withSecret(bytes, count, secret, secret_size);
}

cxxhash_128 cxxhash_128bits(const void *bytes, size_t count, const void *secret, size_t secret_size) {
    XXH128_hash_t hash = XXH3_128bits_withSecret(bytes, count, secret, secret_size);
    return (cxxhash_128){ .low = hash.low64, .high = hash.high64 };
}

cxxhash_128 cxxhash_128bits_of_two(
    const void *first, size_t first_count, const void *second, size_t second_count, const void *secret, size_t secret_size) {
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    XXH3_128bits_reset_withSecret(&state, secret, secret_size);
    XXH3_128bits_update(&state, first, first_count);
    XXH3_128bits_update(&state, second, second_count);
    XXH128_hash_t hash = XXH3_128bits_digest(&state);
    return (cxxhash_128){.low = hash.low64, .high = hash.high64};
}
