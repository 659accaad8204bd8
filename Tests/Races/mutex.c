// Tells ThreadSanitizer of locks that threads wait for. A `Mutex` of Swift's that is free is taken by code within the
// program, which is watched; one that is taken is waited for in Swift's library, which is not: then it looks as if two
// threads were behind the lock at once. contrib/check-races --server loads this before that library.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

SWIFT void segue_lock(uint32_t thread, SELF void *handle) __asm__(LOCK);
SWIFT void segue_lock(uint32_t thread, SELF void *handle) {
    SWIFT void (*real)(uint32_t, SELF void *) = dlsym(RTLD_NEXT, LOCK);
    real(thread, handle);
    if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT bool segue_try_lock(SELF void *handle) __asm__(TRY);
SWIFT bool segue_try_lock(SELF void *handle) {
    SWIFT bool (*real)(SELF void *) = dlsym(RTLD_NEXT, TRY);
    bool is_locked = real(handle);
    if (is_locked && __tsan_acquire) __tsan_acquire(handle);
    return is_locked;
}

SWIFT void segue_unlock(SELF void *handle) __asm__(UNLOCK);
SWIFT void segue_unlock(SELF void *handle) {
    SWIFT void (*real)(SELF void *) = dlsym(RTLD_NEXT, UNLOCK);
    if (__tsan_release) __tsan_release(handle);
    real(handle);
}

// GLib's locks, as far as other libraries take them.

typedef void (*Locking)(void *);

#define REAL(type, name) \
    static __typeof__(type) real; \
    if (!real) real = (__typeof__(real))dlsym(RTLD_NEXT, name)

void g_mutex_lock(void *mutex) {
    REAL(Locking, "g_mutex_lock");
    real(mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

int g_mutex_trylock(void *mutex) {
    REAL(int (*)(void *), "g_mutex_trylock");
    int is_locked = real(mutex);
    if (is_locked && __tsan_acquire) __tsan_acquire(mutex);
    return is_locked;
}

void g_mutex_unlock(void *mutex) {
    REAL(Locking, "g_mutex_unlock");
    if (__tsan_release) __tsan_release(mutex);
    real(mutex);
}

void g_cond_wait(void *condition, void *mutex) {
    REAL(void (*)(void *, void *), "g_cond_wait");
    if (__tsan_release) __tsan_release(mutex);
    real(condition, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

int g_cond_wait_until(void *condition, void *mutex, int64_t end) {
    REAL(int (*)(void *, void *, int64_t), "g_cond_wait_until");
    if (__tsan_release) __tsan_release(mutex);
    int was_signalled = real(condition, mutex, end);
    if (__tsan_acquire) __tsan_acquire(mutex);
    return was_signalled;
}
