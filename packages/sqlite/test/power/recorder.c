// Preloaded into a process: records what it writes below a folder, in order, and what it asks the disk to keep.
//
// Each record is a header and, for writes, the bytes. An fsync is recorded twice, when it begins and when it returns:
// what another thread writes in between may not be covered by it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum kind { NAME = 1, WRITE, TRUNCATE, APPEND, SYNC_BEGINS, SYNC_RETURNS };
struct header { uint32_t kind, file; uint64_t offset; uint32_t length, padding; };

#define MAX_DESCRIPTORS 65536
#define MAX_FILES 1024

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int log_file = -1;
static const char *folder;
static int file_of[MAX_DESCRIPTORS];
static char *paths[MAX_FILES];
static int path_count;

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite64)(int, const void *, size_t, off64_t);
static int (*real_open64)(const char *, int, ...);
static int (*real_ftruncate64)(int, off64_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_close)(int);

__attribute__((constructor)) static void begin(void) {
  if (real_write) return;
  real_write = dlsym(RTLD_NEXT, "write");
  real_pwrite64 = dlsym(RTLD_NEXT, "pwrite64");
  real_open64 = dlsym(RTLD_NEXT, "open64");
  real_ftruncate64 = dlsym(RTLD_NEXT, "ftruncate64");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  real_close = dlsym(RTLD_NEXT, "close");
  folder = getenv("RECORDED_FOLDER");
  const char *path = getenv("RECORDING");
  if (folder && path) log_file = real_open64(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void put(uint32_t kind, uint32_t file, uint64_t offset, const void *bytes, uint32_t length) {
  struct header header = { kind, file, offset, length, 0 };
  real_write(log_file, &header, sizeof header);
  if (length > 0) real_write(log_file, bytes, length);
}

/* Files are numbered from 1 by their paths. */
static int opened(int descriptor, const char *path) {
  if (log_file < 0 || descriptor < 0 || descriptor >= MAX_DESCRIPTORS) return descriptor;
  file_of[descriptor] = 0;
  if (!path || !strstr(path, folder)) return descriptor;
  pthread_mutex_lock(&lock);
  int index = 0;
  while (index < path_count && strcmp(paths[index], path) != 0) index++;
  if (index == path_count && path_count < MAX_FILES) {
    paths[path_count++] = strdup(path);
    put(NAME, index + 1, 0, path, strlen(path));
  }
  file_of[descriptor] = index + 1;
  pthread_mutex_unlock(&lock);
  return descriptor;
}

static int recorded(int descriptor) {
  return descriptor >= 0 && descriptor < MAX_DESCRIPTORS ? file_of[descriptor] : 0;
}

#define MODE_OF(flags) \
  int mode = 0; \
  if ((flags) & (O_CREAT | O_TMPFILE)) { va_list rest; va_start(rest, flags); mode = va_arg(rest, int); va_end(rest); }

int open64(const char *path, int flags, ...) { begin(); MODE_OF(flags) return opened(real_open64(path, flags, mode), path); }
int open(const char *path, int flags, ...) { begin(); MODE_OF(flags) return opened(real_open64(path, flags, mode), path); }

int close(int descriptor) {
  begin();
  if (recorded(descriptor)) file_of[descriptor] = 0;
  return real_close(descriptor);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t offset) {
  begin();
  int file = recorded(descriptor);
  if (!file) return real_pwrite64(descriptor, bytes, length, offset);
  pthread_mutex_lock(&lock);
  ssize_t written = real_pwrite64(descriptor, bytes, length, offset);
  if (written > 0) put(WRITE, file, offset, bytes, written);
  pthread_mutex_unlock(&lock);
  return written;
}
ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t offset) {
  return pwrite64(descriptor, bytes, length, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
  begin();
  int file = recorded(descriptor);
  if (!file) return real_write(descriptor, bytes, length);
  pthread_mutex_lock(&lock);
  ssize_t written = real_write(descriptor, bytes, length);
  if (written > 0) put(APPEND, file, 0, bytes, written);
  pthread_mutex_unlock(&lock);
  return written;
}

int ftruncate64(int descriptor, off64_t length) {
  begin();
  int file = recorded(descriptor);
  if (!file) return real_ftruncate64(descriptor, length);
  pthread_mutex_lock(&lock);
  int result = real_ftruncate64(descriptor, length);
  if (result == 0) put(TRUNCATE, file, length, 0, 0);
  pthread_mutex_unlock(&lock);
  return result;
}
int ftruncate(int descriptor, off_t length) { return ftruncate64(descriptor, length); }

static int synced(int descriptor, int (*sync)(int)) {
  int file = recorded(descriptor);
  if (!file) return sync(descriptor);
  pthread_mutex_lock(&lock);
  put(SYNC_BEGINS, file, 0, 0, 0);
  pthread_mutex_unlock(&lock);
  int result = sync(descriptor);
  pthread_mutex_lock(&lock);
  if (result == 0) put(SYNC_RETURNS, file, 0, 0, 0);
  pthread_mutex_unlock(&lock);
  return result;
}
int fsync(int descriptor) { begin(); return synced(descriptor, real_fsync); }
int fdatasync(int descriptor) { begin(); return synced(descriptor, real_fdatasync); }
