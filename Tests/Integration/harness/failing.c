/* Makes system calls fail at random, for a program that is started with this library in LD_PRELOAD.
 *
 * FAILING_TABLE names a file of struct entry, one for each kind of call, which the test maps too and changes while the
 * program runs: how many of a million calls fail, with which error, and how many did. FAILING_PATH limits what fails of
 * files to those whose path begins with it. FAILING_SEED repeats a run as far as threads allow it. FAILING_THREADS is
 * how many threads there may be at a time beside the first.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

enum kind { WRITE, SYNC, OPEN, ACCEPT, SOCKET, MEMORY, THREAD, READ, LIST, KINDS };
struct entry { _Atomic uint32_t per_million, error, failed, calls; };

static struct entry *table;
static const char *path;
static size_t path_length;
static _Atomic uint64_t state;
static _Atomic int64_t living;
static int64_t most_threads;
static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

__attribute__((constructor)) static void begin(void) {
    const char *name = getenv("FAILING_TABLE"), *seed = getenv("FAILING_SEED");
    path = getenv("FAILING_PATH");
    path_length = path ? strlen(path) : 0;
    state = seed ? strtoull(seed, NULL, 10) : 1;
    const char *threads = getenv("FAILING_THREADS");
    most_threads = threads ? strtoll(threads, NULL, 10) : -1;
    unsetenv("LD_PRELOAD");
    int file = name ? open(name, O_RDWR) : -1;
    if (file < 0) return;
    void *memory = mmap(NULL, sizeof(struct entry) * KINDS, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory != MAP_FAILED) table = memory;
}

/* SplitMix64. */
static uint64_t next(void) {
    uint64_t value = atomic_fetch_add(&state, 0x9e3779b97f4a7c15u) + 0x9e3779b97f4a7c15u;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
    value = (value ^ value >> 27) * 0x94d049bb133111ebu;
    return value ^ value >> 31;
}

static int fails(enum kind kind) {
    if (!table) return 0;
    struct entry *entry = &table[kind];
    entry->calls++;
    if (entry->per_million == 0 || next() % 1000000 >= entry->per_million) return 0;
    entry->failed++;
    errno = (int)entry->error;
    return 1;
}

static int is_ours(const char *name) { return path && name && strncmp(name, path, path_length) == 0; }

/* Threads that end make room for others. */
struct body { void *(*run)(void *); void *argument; };

static void ended(void *unused) {
    (void)unused;
    living--;
}

static void make_key(void) { pthread_key_create(&key, ended); }

static void *counted(void *pointer) {
    struct body body = *(struct body *)pointer;
    free(pointer);
    pthread_once(&key_once, make_key);
    pthread_setspecific(key, &key);
    return body.run(body.argument);
}

/* Whether a descriptor is that of a file below FAILING_PATH; sockets and pipes are not. */
static int is_our_file(int file) {
    char link[64], name[4096];
    if (!table || !path) return 0;
    int error = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, name, sizeof name - 1);
    errno = error;
    if (length <= 0) return 0;
    name[length] = 0;
    return is_ours(name);
}

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

#define ARMED(kind) (table && table[kind].per_million)

ssize_t write(int file, const void *bytes, size_t count) {
    REAL(ssize_t, write, int, const void *, size_t);
    if (ARMED(WRITE) && is_our_file(file) && fails(WRITE)) return -1;
    return real(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t place) {
    REAL(ssize_t, pwrite, int, const void *, size_t, off_t);
    if (ARMED(WRITE) && is_our_file(file) && fails(WRITE)) return -1;
    return real(file, bytes, count, place);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t place) {
    REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
    if (ARMED(WRITE) && is_our_file(file) && fails(WRITE)) return -1;
    return real(file, bytes, count, place);
}

ssize_t pread(int file, void *bytes, size_t count, off_t place) {
    REAL(ssize_t, pread, int, void *, size_t, off_t);
    if (ARMED(READ) && is_our_file(file) && fails(READ)) return -1;
    return real(file, bytes, count, place);
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t place) {
    REAL(ssize_t, pread64, int, void *, size_t, off64_t);
    if (ARMED(READ) && is_our_file(file) && fails(READ)) return -1;
    return real(file, bytes, count, place);
}

struct dirent *readdir(DIR *folder) {
    REAL(struct dirent *, readdir, DIR *);
    return ARMED(LIST) && is_our_file(dirfd(folder)) && fails(LIST) ? NULL : real(folder);
}

int fsync(int file) {
    REAL(int, fsync, int);
    return ARMED(SYNC) && is_our_file(file) && fails(SYNC) ? -1 : real(file);
}

int fdatasync(int file) {
    REAL(int, fdatasync, int);
    return ARMED(SYNC) && is_our_file(file) && fails(SYNC) ? -1 : real(file);
}

int ftruncate64(int file, off64_t size) {
    REAL(int, ftruncate64, int, off64_t);
    return ARMED(WRITE) && is_our_file(file) && fails(WRITE) ? -1 : real(file, size);
}

#define OPENS(name) \
    int name(const char *where, int flags, ...) { \
        REAL(int, name, const char *, int, ...); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = va_arg(rest, mode_t); \
        va_end(rest); \
        return ARMED(OPEN) && is_ours(where) && fails(OPEN) ? -1 : real(where, flags, mode); \
    }
OPENS(open)
OPENS(open64)

int accept(int listener, struct sockaddr *address, socklen_t *length) {
    REAL(int, accept, int, struct sockaddr *, socklen_t *);
    return ARMED(ACCEPT) && fails(ACCEPT) ? -1 : real(listener, address, length);
}

int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags) {
    REAL(int, accept4, int, struct sockaddr *, socklen_t *, int);
    return ARMED(ACCEPT) && fails(ACCEPT) ? -1 : real(listener, address, length, flags);
}

int socket(int domain, int type, int protocol) {
    REAL(int, socket, int, int, int);
    return ARMED(SOCKET) && fails(SOCKET) ? -1 : real(domain, type, protocol);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    REAL(int, pthread_create, pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (ARMED(THREAD) && fails(THREAD)) return errno;
    if (most_threads < 0) return real(thread, attributes, run, argument);
    struct body *body = malloc(sizeof *body);
    if (!body) return EAGAIN;
    *body = (struct body){run, argument};
    int failure = ++living > most_threads ? EAGAIN : real(thread, attributes, counted, body);
    if (failure) {
        living--;
        free(body);
    }
    return failure;
}

extern void *__libc_malloc(size_t size);

void *malloc(size_t size) {
    /* Only large ones, which depend on what comes from outside; the system grants small ones even then. */
    if (size >= 16384 && ARMED(MEMORY) && fails(MEMORY)) return NULL;
    return __libc_malloc(size);
}
