#pragma once

#include <curl/curl.h>
/* Glibc's module for Swift lacks these. */
#include <sys/epoll.h>
#include <sys/eventfd.h>

/* Receives a part of a body, or a header line. Returns the number of consumed bytes; if that is not all, the transfer fails. */
typedef size_t (*httpclient_take)(char *bytes, size_t size, size_t count, void *context);

/* Called before each sending of a request, when its connection is ready. A result other than 0 aborts the transfer. */
typedef int (*httpclient_sending)(void *context, char *peer, char *local, int peer_port, int local_port);

/* Called when the events change for which a socket is watched. */
typedef int (*httpclient_watch)(CURL *handle, curl_socket_t socket, int events, void *context, void *socket_context);

/* The following functions exist because curl_easy_setopt is variadic, so Swift cannot import it. Their parameters are typed, so that the
   compiler checks the callbacks. Strings and bodies are copied; the caller owns the headers. */

/* Sets the options that all transfers share. */
static inline void httpclient_prepare(
    CURL *handle, struct curl_slist *headers, long connect_milliseconds, long buffer_size, void *context,
    httpclient_take take_line, httpclient_take take_body, httpclient_sending sending
) {
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(handle, CURLOPT_USERAGENT, "relist");
    /* All codings that libcurl supports. The callback receives decoded bytes. */
    curl_easy_setopt(handle, CURLOPT_ACCEPT_ENCODING, "");
    /* libcurl 7.88 stops a whole HTTP/2 connection when one of its transfers is paused. */
    curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, connect_milliseconds);
    curl_easy_setopt(handle, CURLOPT_BUFFERSIZE, buffer_size);
    /* libcurl must not use signals, because they belong to the program. Without signals, it resolves names on a separate thread. */
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    /* Without this option, the removal of a transfer would wait for that thread, and would delay all other transfers. */
    curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, take_line);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
    curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, sending);
    curl_easy_setopt(handle, CURLOPT_PREREQDATA, context);
    curl_easy_setopt(handle, CURLOPT_PRIVATE, context);
}

static inline void httpclient_set_url(CURL *handle, const char *url) {
    curl_easy_setopt(handle, CURLOPT_URL, url);
}

/* Adds a body to the request. The body is sent even if it is empty. */
static inline void httpclient_set_body(CURL *handle, const void *bytes, size_t count) {
    curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, count ? bytes : "");
}

/* Sets a method. The response to HEAD has no body, and libcurl has to know that. */
static inline void httpclient_set_method(CURL *handle, const char *method, int is_head) {
    curl_easy_setopt(handle, CURLOPT_NOBODY, (long)is_head);
    curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, method);
}

/* The following functions exist because curl_multi_setopt is variadic, so Swift cannot import it. */

static inline void httpclient_set_watch(CURLM *multi, httpclient_watch watch, void *context) {
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watch);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
}

/* Limits the number of connections, in use and idle. An idle one over the limit is closed. */
static inline void httpclient_limit_connections(CURLM *multi, long count) {
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, count);
}

/* The following functions exist because curl_easy_getinfo is variadic, so Swift cannot import it. */

static inline long httpclient_status(CURL *handle) {
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

/* The Retry-After in seconds, even if the header has a date; 0 without the header. */
static inline long long httpclient_retry_after(CURL *handle) {
    curl_off_t seconds = 0;
    curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &seconds);
    return seconds;
}

/* The number of bytes of the request's body that have been sent. */
static inline long long httpclient_sent(CURL *handle) {
    curl_off_t count = 0;
    curl_easy_getinfo(handle, CURLINFO_SIZE_UPLOAD_T, &count);
    return count;
}

/* The context of a transfer. */
static inline void *httpclient_context(CURL *handle) {
    char *context = NULL;
    curl_easy_getinfo(handle, CURLINFO_PRIVATE, &context);
    return context;
}
