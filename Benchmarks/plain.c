/* Answers every GET and every POST with one body, as fast as plain C on libmicrohttpd can.

   plain THREADS HEADERS BODY

   HEADERS is a file of "Name: value" lines. BODY is a file whose bytes are sent unchanged. The program listens
   on a free port of 127.0.0.1, prints the port, and serves until its standard input ends. */
#include <arpa/inet.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILE_LIMIT = 16 << 20, CONNECTION_LIMIT = 1000, IDLE_SECONDS = 60 };

static _Noreturn void fail(const char *what) {
    perror(what);
    exit(1);
}

static char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    char *bytes = malloc(FILE_LIMIT + 1);
    if (!file || !bytes) fail(path);
    *size = fread(bytes, 1, FILE_LIMIT, file);
    bytes[*size] = 0;
    fclose(file);
    return bytes;
}

static void add_headers(struct MHD_Response *response, char *lines) {
    for (char *line = strtok(lines, "\r\n"); line; line = strtok(NULL, "\r\n")) {
        char *colon = strstr(line, ": ");
        if (!colon) continue;
        *colon = 0;
        MHD_add_response_header(response, line, colon + 2);
    }
}

/* Handles the calls of libmicrohttpd for one request. The first call passes the head of the request. Calls
   with data discard the data. The last call sends the response. */
static enum MHD_Result answer(void *response, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *data,
                              size_t *size, void **request) {
    static int begun;
    (void)url, (void)method, (void)version, (void)data;
    if (!*request) {
        *request = &begun;
        return MHD_YES;
    }
    if (*size > 0) {
        *size = 0;
        return MHD_YES;
    }
    return MHD_queue_response(connection, MHD_HTTP_OK, response);
}

static struct MHD_Daemon *start(struct MHD_Response *response, unsigned threads) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, answer, response,
                            MHD_OPTION_SOCK_ADDR, &address,
                            /* The library rejects a pool with only one thread. */
                            MHD_OPTION_THREAD_POOL_SIZE, threads > 1 ? threads : 0,
                            MHD_OPTION_CONNECTION_LIMIT, CONNECTION_LIMIT,
                            MHD_OPTION_CONNECTION_TIMEOUT, IDLE_SECONDS, MHD_OPTION_END);
}

int main(int count, char **arguments) {
    if (count != 4) {
        fprintf(stderr, "usage: plain THREADS HEADERS BODY\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    size_t size, headers_size;
    char *headers = read_file(arguments[2], &headers_size);
    char *body = read_file(arguments[3], &size);
    struct MHD_Response *response = MHD_create_response_from_buffer(size, body, MHD_RESPMEM_PERSISTENT);
    add_headers(response, headers);

    struct MHD_Daemon *daemon = start(response, (unsigned)atoi(arguments[1]));
    if (!daemon) fail("MHD_start_daemon");
    printf("%d\n", MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
    fflush(stdout);
    while (getchar() != EOF) continue;
    MHD_stop_daemon(daemon);
    return 0;
}
