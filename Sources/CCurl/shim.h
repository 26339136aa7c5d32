#pragma once

#include <curl/curl.h>

/* Gives up a transfer when it returns other than 0. */
typedef int (*httpclient_left)(
    void *context, curl_off_t down_total, curl_off_t down, curl_off_t up_total, curl_off_t up);

/* Takes a part of a body, or a line of a head; returns how many bytes it took, all or the transfer fails. */
typedef size_t (*httpclient_take)(char *bytes, size_t size, size_t count, void *context);

/* Exists because curl_easy_setopt is variadic, so Swift cannot import it. Typed, so that the compiler
   checks the callbacks. The strings are copied; the fields belong to the caller. */
static inline void httpclient_prepare(
    CURL *handle, const char *url, struct curl_slist *fields, curl_off_t size_limit, void *context,
    httpclient_take take_line, httpclient_take take_body, httpclient_left is_left
) {
    curl_easy_setopt(handle, CURLOPT_URL, url);
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, fields);
    curl_easy_setopt(handle, CURLOPT_USERAGENT, "relist");
    /* All codings that the library knows; what it decodes is counted, not what was sent. */
    curl_easy_setopt(handle, CURLOPT_ACCEPT_ENCODING, "");
    /* For a body that says its size; any other is cut off by who takes it. */
    curl_easy_setopt(handle, CURLOPT_MAXFILESIZE_LARGE, size_limit);
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
    /* Signals belong to the program; and without them names are looked up on another thread. */
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, take_line);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
    curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, is_left);
    curl_easy_setopt(handle, CURLOPT_XFERINFODATA, context);
    curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
}

/* These exist because curl_easy_getinfo is variadic, so Swift cannot import it. */

static inline long httpclient_status(CURL *handle) {
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

/* Seconds, also where the field has a date; 0 without the field. */
static inline long long httpclient_retry_after(CURL *handle) {
    curl_off_t seconds = 0;
    curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &seconds);
    return seconds;
}

/* Where a redirect leads, whole; NULL for none. It lives as long as the handle. */
static inline const char *httpclient_redirect(CURL *handle) {
    char *url = NULL;
    curl_easy_getinfo(handle, CURLINFO_REDIRECT_URL, &url);
    return url;
}
