/* Holds event streams open, and prints a line when the last of them has received its event.

   subscribers PORT PATH COUNT [gzip]

   It connects COUNT times to 127.0.0.1:PORT and requests PATH as an event stream. When each stream has
   received its first event, it prints "ready". For each line of its standard input it prints "waiting", and
   waits until each stream has received one more event. Then it prints the number of milliseconds that this
   took. It ends when its standard input ends. With `gzip`, it accepts compressed streams, whose events end with
   a full flush. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* The matched length of the mark, and the number of received events. */
struct subscriber {
    int socket;
    int matched;
    int events;
};

/* The bytes that each event has once: its first line, or the end of a full flush (RFC 1951, section 3.2.4). */
static const char plain_mark[] = "\nevent: ", gzip_mark[] = {0, 0, '\xff', '\xff'};
static const char *mark = plain_mark;
static int mark_length = sizeof plain_mark - 1;

static _Noreturn void fail(const char *what) {
    perror(what);
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static void raise_file_limit(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static int ask(int port, const char *path) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    char request[512];
    int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n%s\r\n", path,
                          mark == gzip_mark ? "Accept-Encoding: gzip\r\n" : "");
    int socket_ = socket(AF_INET, SOCK_STREAM, 0);
    if (socket_ < 0) fail("socket");
    if (connect(socket_, (struct sockaddr *)&address, sizeof address)) fail("connect");
    if (write(socket_, request, length) != length) fail("write");
    return socket_;
}

/* Adds the number of events that begin in the received bytes to the events of a subscriber. */
static void receive(struct subscriber *from) {
    static char buffer[1 << 16];
    ssize_t count = recv(from->socket, buffer, sizeof buffer, MSG_DONTWAIT);
    if (count == 0 || (count < 0 && errno != EAGAIN)) fail("a stream ended");
    for (ssize_t i = 0; i < count; i++) {
        /* After more zeros than the mark begins with, the last two of them still match. */
        if (buffer[i] == mark[from->matched]) from->matched++;
        else if (!(from->matched == 2 && !buffer[i])) from->matched = buffer[i] == mark[0];
        if (from->matched < mark_length) continue;
        from->matched = 0;
        from->events++;
    }
}

/* Waits until every subscriber has received at least `events` events. */
static void await(int epoll, struct subscriber *all, int count, int events) {
    struct epoll_event ready[512];
    int missing = 0;
    for (int i = 0; i < count; i++) missing += all[i].events < events;
    while (missing > 0) {
        int n = epoll_wait(epoll, ready, 512, 60000);
        if (n <= 0) fail("an event did not come");
        for (int i = 0; i < n; i++) {
            struct subscriber *subscriber = ready[i].data.ptr;
            int had = subscriber->events >= events;
            receive(subscriber);
            missing -= !had && subscriber->events >= events;
        }
    }
}

int main(int argc, char **argv) {
    if (argc < 4 || argc > 5 || (argc == 5 && strcmp(argv[4], "gzip"))) return 2;
    if (argc == 5) {
        mark = gzip_mark;
        mark_length = sizeof gzip_mark;
    }
    int count = atoi(argv[3]), epoll = epoll_create1(0), events = 1;
    struct subscriber *all = calloc(count, sizeof *all);
    raise_file_limit();
    for (int i = 0; i < count; i++) {
        all[i].socket = ask(atoi(argv[1]), argv[2]);
        struct epoll_event interest = {.events = EPOLLIN, .data.ptr = &all[i]};
        epoll_ctl(epoll, EPOLL_CTL_ADD, all[i].socket, &interest);
    }
    await(epoll, all, count, events);
    puts("ready");
    fflush(stdout);
    char line[8];
    while (fgets(line, sizeof line, stdin)) {
        puts("waiting");
        fflush(stdout);
        double begin = now();
        await(epoll, all, count, ++events);
        printf("%.1f\n", now() - begin);
        fflush(stdout);
    }
}
