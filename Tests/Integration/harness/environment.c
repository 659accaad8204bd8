// Notes how many threads a program has whenever it changes its environment: `NAME COUNT` on a line of $ENVIRONMENT_LOG.
// Others may read the environment at the same time, and find it being moved.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void note(const char *name) {
    const char *path = getenv("ENVIRONMENT_LOG");
    DIR *threads = path ? opendir("/proc/self/task") : NULL;
    if (!threads) return;
    int count = 0;
    for (struct dirent *entry; (entry = readdir(threads));) count += entry->d_name[0] != '.';
    closedir(threads);
    FILE *log = fopen(path, "ae");
    if (!log) return;
    fprintf(log, "%.*s %d\n", (int)strcspn(name, "="), name, count);
    fclose(log);
}

int setenv(const char *name, const char *value, int overwrites) {
    note(name);
    return ((int (*)(const char *, const char *, int))dlsym(RTLD_NEXT, "setenv"))(name, value, overwrites);
}

int unsetenv(const char *name) {
    note(name);
    return ((int (*)(const char *))dlsym(RTLD_NEXT, "unsetenv"))(name);
}

int putenv(char *text) {
    note(text);
    return ((int (*)(char *))dlsym(RTLD_NEXT, "putenv"))(text);
}
