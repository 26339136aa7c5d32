#pragma once

#include <fcntl.h>
#include <linux/sockios.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/epoll.h>
/* The Glibc module lacks eventfd. */
#include <sys/eventfd.h>
#include <sys/ioctl.h>

/* The options of a daemon. The fields are typed, so that the compiler checks the
   callbacks, which MHD_OPTION_ARRAY would take as integers. It must outlive the daemon,
   whose log messages use it. */
struct httpd_options {
    int listen_socket;
    unsigned int connection_limit;
    /* Seconds without a byte in either direction. */
    unsigned int timeout;
    /* Bytes of memory for one connection: request line, headers, read buffer. */
    size_t memory_limit;
    /* The first argument of every callback. */
    void *context;
    void *(*request_begins)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_AcceptPolicyCallback accepts;
    MHD_AccessHandlerCallback request_arrives;
    MHD_RequestCompletedCallback request_ends;
    MHD_NotifyConnectionCallback connection_changes;
    size_t (*unescape)(void *context, struct MHD_Connection *connection, char *text);
    void (*log)(void *context, const char *message);
};

/* Exists because Swift has no C callbacks that take a va_list. */
static inline void httpd_log(void *options, const char *format, va_list arguments) {
    const struct httpd_options *to = options;
    char message[512];
    vsnprintf(message, sizeof message, format, arguments);
    to->log(to->context, message);
}

/* Exists because MHD_start_daemon is variadic, so Swift cannot import it. */
static inline struct MHD_Daemon *
httpd_start(unsigned int flags, struct httpd_options *options) {
    return MHD_start_daemon(
        flags, 0, options->accepts, options->context, options->request_arrives, options->context,
        MHD_OPTION_EXTERNAL_LOGGER, httpd_log, options,
        MHD_OPTION_LISTEN_SOCKET, options->listen_socket,
        MHD_OPTION_CONNECTION_LIMIT, options->connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, options->timeout,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, options->memory_limit,
        MHD_OPTION_URI_LOG_CALLBACK, options->request_begins, options->context,
        MHD_OPTION_UNESCAPE_CALLBACK, options->unescape, options->context,
        MHD_OPTION_NOTIFY_COMPLETED, options->request_ends, options->context,
        MHD_OPTION_NOTIFY_CONNECTION, options->connection_changes, options->context,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
        MHD_OPTION_END);
}

/* Exists because MHD_get_daemon_info is variadic. Returns the epoll descriptor of the daemon. */
static inline int httpd_epoll(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

/* Makes MHD_run_wait return for events on a descriptor: once for each event, which need not be read, or with `lasts`
   for as long as the descriptor is readable. libmicrohttpd ignores events without data. Returns 0, or -1 and sets
   errno. */
static inline int httpd_watch(struct MHD_Daemon *daemon, int descriptor, bool lasts) {
    struct epoll_event event = {.events = lasts ? EPOLLIN : EPOLLIN | EPOLLET, .data.ptr = NULL};
    return epoll_ctl(httpd_epoll(daemon), EPOLL_CTL_ADD, descriptor, &event);
}

/* Exists because MHD_get_connection_info is variadic. */
static inline int httpd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/* Exists because MHD_get_connection_info is variadic. Returns the address of the client; NULL if it is unknown. */
static inline const struct sockaddr *httpd_peer(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

/* Exists because fcntl is variadic. Duplicates a descriptor, with close-on-exec. Returns -1 and sets errno on failure. */
static inline int httpd_copy(int socket) {
    return fcntl(socket, F_DUPFD_CLOEXEC, 0);
}

/* Exists because ioctl is variadic. Returns the number of sent bytes that are not acknowledged and can still be delivered. */
static inline int httpd_unsent(int socket) {
    struct tcp_info info;
    socklen_t size = sizeof info;
    int count;
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 || info.tcpi_state == TCP_CLOSE) return 0;
    if (ioctl(socket, SIOCOUTQ, &count) != 0) return 0;
    /* The end of the stream counts as one byte until it is acknowledged. */
    int end = info.tcpi_state == TCP_FIN_WAIT1 || info.tcpi_state == TCP_CLOSING || info.tcpi_state == TCP_LAST_ACK;
    return count - end;
}

/* Exists because MHD_get_connection_info is variadic. Returns the context of the connection; NULL if none is set. */
static inline void *httpd_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/* Exists because MHD_get_connection_info is variadic. Returns the number of bytes of the head, from its method to its end,
   or 0 if it is incomplete. */
static inline size_t httpd_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

/* Exists because a string of Swift does not outlive the call. Adds a short cookie before the fields of a
   request whose first line is being read. It is of two kinds, header and trailer, which distinguishes it
   from cookies of the client. Returns MHD_NO if no memory is left. */
static inline enum MHD_Result httpd_add_mark(struct MHD_Connection *connection) {
    enum MHD_ValueKind kind = (enum MHD_ValueKind)(MHD_HEADER_KIND | MHD_FOOTER_KIND);
    return MHD_set_connection_value(connection, kind, MHD_HTTP_HEADER_COOKIE, "m=");
}

/* Exists because MHD_set_connection_option is variadic. Sets the maximum number of seconds without a byte in either direction. */
static inline void httpd_set_timeout(struct MHD_Connection *connection, unsigned int seconds) {
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

/* Exists because MHD_set_response_options is variadic. */
static inline void httpd_set_flags(struct MHD_Response *response, enum MHD_ResponseFlags flags) {
    MHD_set_response_options(response, flags, MHD_RO_END);
}

/* Exists because Swift cannot combine the cases of an enum. */
static const enum MHD_ValueKind httpd_fields_and_cookies = (enum MHD_ValueKind)(MHD_HEADER_KIND | MHD_COOKIE_KIND);

/* Exist because Swift does not import macros that cast. */
static const uint64_t httpd_size_unknown = MHD_SIZE_UNKNOWN;
static const ssize_t httpd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t httpd_end_with_error = MHD_CONTENT_READER_END_WITH_ERROR;
