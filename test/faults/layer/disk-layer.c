// Stands between a process and its disk and clock, put in through LD_PRELOAD (see disk-layer.ts, which compiles it and explains the fields
// of the control block). Everything under FAULTS_DIRECTORY that changes a file or a directory is carried out and then written into
// FAULTS_JOURNAL, from which roll-back.ts works out what a power cut would have left. A sync is noted there and not carried out: the
// machine stays up, and what counts as synced is what the journal says.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { CREATE = 1, MKDIR, WRITE, TRUNCATE, RENAME, UNLINK, RMDIR, LINK, SYMLINK, SYNC, EXCHANGE, UNKNOWN };
enum { ON_WRITE = 1, ON_SYNC = 2, ON_NAME = 4 };
enum { PART_WAL = 1, PART_CLICKHOUSE = 2, PART_POSTGRES = 4, PART_TEMPORARY = 8, PART_OTHER = 16 };

// disk-layer.ts writes it, field by field.
struct control {
  volatile int64_t clock_offset_ns;
  volatile int64_t space; // bytes that are left; negative: no end of them
  volatile uint32_t space_parts;
  volatile uint32_t error_parts;
  volatile uint32_t error_operations;
  volatile uint32_t delay_parts;
  volatile uint32_t delay_us;
  volatile uint32_t kill_parts;
  volatile uint32_t kill_operations;
  volatile int32_t kill_countdown;
  volatile uint32_t kill_afterwards;
  volatile uint32_t forgotten_sync_parts; // a planted fault: their syncs are not noted
  volatile uint32_t injected;
  volatile int32_t error_skip; // operations that still succeed before the first error
  volatile int32_t error_count; // errors that are left; negative: no end of them
  volatile uint32_t error_number; // errno
};

struct record {
  uint32_t operation, first_length, second_length, data_length;
  uint64_t inode, offset, sequence;
};

struct tracked {
  uint64_t inode; // 0: not ours
  uint8_t part;
  uint8_t journaled;
};

#define MAX_DESCRIPTORS 65536
static struct tracked descriptors[MAX_DESCRIPTORS];
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static char directory[PATH_MAX];
static size_t directory_length;
static int journal = -1;
static uint64_t sequence;
static struct control no_control = {.space = -1};
static struct control *control = &no_control;
static int ready;
static int (*next_clock_gettime)(clockid_t, struct timespec *);

static long raw(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
  return result;
}
#define CALL(number, a, b, c, d) raw(number, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)

static long returned(long result) {
  if (result >= 0) return result;
  errno = (int)-result;
  return -1;
}

__attribute__((constructor)) static void begin(void) {
  next_clock_gettime = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  const char *given = getenv("FAULTS_DIRECTORY");
  const char *journal_path = getenv("FAULTS_JOURNAL");
  const char *control_path = getenv("FAULTS_CONTROL");
  if (control_path) {
    long file = CALL(SYS_openat, AT_FDCWD, control_path, O_RDWR | O_CLOEXEC, 0);
    void *mapped = file < 0 ? MAP_FAILED : (void *)raw(SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if ((long)mapped > 0) control = mapped;
  }
  if (!given) return;
  directory_length = strlen(given);
  memcpy(directory, given, directory_length + 1);
  // A high number, so that a loop over low descriptors does not close it.
  if (journal_path) {
    long file = CALL(SYS_openat, AT_FDCWD, journal_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    journal = (int)CALL(SYS_fcntl, file, F_DUPFD_CLOEXEC, 900, 0);
  }
  ready = 1;
}

static void lock(void) { pthread_mutex_lock(&turn); }
static void unlock(void) { pthread_mutex_unlock(&turn); }

/* Paths */

// Makes a path absolute; 0 when that cannot be.
static int absolute(int at, const char *path, char *into) {
  if (!path) return 0;
  size_t length = 0;
  if (path[0] != '/') {
    long got;
    if (at == AT_FDCWD) got = CALL(SYS_getcwd, into, PATH_MAX, 0, 0) - 1;
    else {
      char link[64];
      snprintf(link, sizeof link, "/proc/self/fd/%d", at);
      got = CALL(SYS_readlink, link, into, PATH_MAX - 1, 0);
    }
    if (got <= 0) return 0;
    length = (size_t)got;
    into[length++] = '/';
  }
  size_t more = strlen(path);
  if (length + more >= PATH_MAX) return 0;
  memcpy(into + length, path, more + 1);
  return 1;
}

// Which part of the directory a path is in; 0 when it is elsewhere.
static uint8_t part_of(const char *path) {
  if (!ready || strncmp(path, directory, directory_length) != 0) return 0;
  const char *rest = path + directory_length;
  if (*rest != '/' && *rest != 0) return 0;
  while (*rest == '/') rest++;
  if (strncmp(rest, "wal", 3) == 0) return PART_WAL;
  if (strncmp(rest, "clickhouse", 10) == 0) return PART_CLICKHOUSE;
  if (strncmp(rest, "postgres", 8) == 0) return PART_POSTGRES;
  if (strncmp(rest, "tmp", 3) == 0 && (rest[3] == '/' || rest[3] == 0)) return PART_TEMPORARY;
  return PART_OTHER;
}

static uint8_t part_at(int at, const char *path, char *into) { return ready && absolute(at, path, into) ? part_of(into) : 0; }

/* Journal */

static void note(uint32_t operation, uint64_t inode, uint64_t offset, const char *first, const char *second, const void *data, size_t length) {
  if (journal < 0) return;
  struct record record = {operation, first ? strlen(first) : 0, second ? strlen(second) : 0, length, inode, offset, ++sequence};
  struct iovec parts[4] = {{&record, sizeof record}, {(void *)first, record.first_length}, {(void *)second, record.second_length}, {(void *)data, length}};
  CALL(SYS_writev, journal, parts, 4, 0);
}

static uint64_t inode_of(const char *path) {
  struct stat found;
  return CALL(SYS_newfstatat, AT_FDCWD, path, &found, AT_SYMLINK_NOFOLLOW) < 0 ? 0 : found.st_ino;
}

/* Faults */

static void event(uint8_t part, uint32_t operation, int afterwards) {
  if (!(control->kill_parts & part) || !(control->kill_operations & operation) || (int)control->kill_afterwards != afterwards) return;
  if (__sync_sub_and_fetch(&control->kill_countdown, 1) == 0) CALL(SYS_kill, CALL(SYS_getpid, 0, 0, 0, 0), SIGKILL, 0, 0);
}

static void wait_if_slow(uint8_t part) {
  if (!(control->delay_parts & part) || control->delay_us == 0) return;
  struct timespec time = {control->delay_us / 1000000, (control->delay_us % 1000000) * 1000L};
  CALL(SYS_nanosleep, &time, 0, 0, 0);
}

static int broken(uint8_t part, uint32_t operation) {
  if (!(control->error_parts & part) || !(control->error_operations & operation)) return 0;
  if (__sync_fetch_and_sub(&control->error_skip, 1) > 0) return 0;
  if (control->error_count == 0) return 0;
  if (control->error_count > 0) __sync_sub_and_fetch(&control->error_count, 1);
  __sync_add_and_fetch(&control->injected, 1);
  return 1;
}

static int full(uint8_t part) {
  if (!(control->space_parts & part) || control->space != 0) return 0;
  __sync_add_and_fetch(&control->injected, 1);
  return 1;
}

// How much of a write the disk still has room for; what lies within the file takes none.
static size_t room(uint8_t part, uint64_t size, uint64_t offset, size_t length) {
  if (!(control->space_parts & part) || control->space < 0) return length;
  uint64_t end = offset + length;
  uint64_t growth = end > size ? end - (offset > size ? offset : size) : 0;
  if (growth <= (uint64_t)control->space) {
    control->space -= (int64_t)growth;
    return length;
  }
  uint64_t missing = growth - (uint64_t)control->space;
  control->space = 0;
  __sync_add_and_fetch(&control->injected, 1);
  return length - (size_t)missing;
}

/* Descriptors */

static struct tracked *tracked(int descriptor) {
  if (!ready || descriptor < 0 || descriptor >= MAX_DESCRIPTORS || descriptors[descriptor].inode == 0) return 0;
  struct stat found;
  // The descriptor was closed without an intercepted call and reused for another file.
  if (CALL(SYS_fstat, descriptor, &found, 0, 0) < 0 || found.st_ino != descriptors[descriptor].inode) {
    descriptors[descriptor].inode = 0;
    return 0;
  }
  return &descriptors[descriptor];
}

static void track(long descriptor, uint8_t part, const char *path) {
  struct stat found;
  if (descriptor < 0 || descriptor >= MAX_DESCRIPTORS || CALL(SYS_fstat, descriptor, &found, 0, 0) < 0) return;
  int own = strncmp(path + directory_length, "/owner", 6) == 0;
  descriptors[descriptor] = (struct tracked){found.st_ino, part, part != PART_TEMPORARY && !own};
}

static int open_at(int at, const char *path, int flags, mode_t mode) {
  char full_path[PATH_MAX];
  uint8_t part = part_at(at, path, full_path);
  if (!part) {
    long opened = CALL(SYS_openat, at, path, flags, mode);
    if (opened >= 0 && opened < MAX_DESCRIPTORS) descriptors[opened].inode = 0;
    return (int)returned(opened);
  }
  lock();
  uint64_t before = flags & O_CREAT ? inode_of(full_path) : 1;
  if (!before && full(part)) {
    unlock();
    errno = ENOSPC;
    return -1;
  }
  if (!before) event(part, ON_NAME, 0);
  long opened = CALL(SYS_openat, at, path, flags, mode);
  if (opened >= 0) {
    track(opened, part, full_path);
    struct tracked *file = &descriptors[opened];
    if (file->journaled && (flags & O_TMPFILE) == O_TMPFILE) note(UNKNOWN, file->inode, 0, "O_TMPFILE", full_path, 0, 0);
    else if (file->journaled && !before) note(CREATE, file->inode, mode, full_path, 0, 0, 0);
    else if (file->journaled && (flags & O_TRUNC)) note(TRUNCATE, file->inode, 0, 0, 0, 0, 0);
    if (!before) event(part, ON_NAME, 1);
  }
  unlock();
  return (int)returned(opened);
}

static mode_t mode_of(int flags, va_list rest) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; }

#define OPENING(name) \
  int name(const char *path, int flags, ...) { \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = mode_of(flags, rest); \
    va_end(rest); \
    return open_at(AT_FDCWD, path, flags, mode); \
  }
#define OPENING_AT(name) \
  int name(int at, const char *path, int flags, ...) { \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = mode_of(flags, rest); \
    va_end(rest); \
    return open_at(at, path, flags, mode); \
  }
OPENING(open)
OPENING(open64)
OPENING_AT(openat)
OPENING_AT(openat64)
int creat(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

static void copy_tracking(long to, int from) {
  if (to >= 0 && to < MAX_DESCRIPTORS && from >= 0 && from < MAX_DESCRIPTORS) descriptors[to] = descriptors[from];
}

int close(int descriptor) {
  if (descriptor == journal && journal >= 0) return 0;
  if (descriptor >= 0 && descriptor < MAX_DESCRIPTORS) descriptors[descriptor].inode = 0;
  return (int)returned(CALL(SYS_close, descriptor, 0, 0, 0));
}
int dup(int descriptor) {
  long made = CALL(SYS_dup, descriptor, 0, 0, 0);
  copy_tracking(made, descriptor);
  return (int)returned(made);
}
int dup2(int descriptor, int to) {
  long made = CALL(SYS_dup2, descriptor, to, 0, 0);
  copy_tracking(made, descriptor);
  return (int)returned(made);
}
int dup3(int descriptor, int to, int flags) {
  long made = CALL(SYS_dup3, descriptor, to, flags, 0);
  copy_tracking(made, descriptor);
  return (int)returned(made);
}

/* Writes */

// Notes the bytes of a write that went through, piece by piece.
static void note_written(struct tracked *file, uint64_t offset, const struct iovec *parts, int count, size_t written) {
  for (int index = 0; index < count && written > 0; index++) {
    size_t length = parts[index].iov_len < written ? parts[index].iov_len : written;
    if (length > 0) note(WRITE, file->inode, offset, 0, 0, parts[index].iov_base, length);
    offset += length;
    written -= length;
  }
}

// `offset` is -1 for a write where the descriptor stands.
static ssize_t write_parts(int descriptor, const struct iovec *parts, int count, off_t offset) {
  struct tracked *file = tracked(descriptor);
  if (!file) return returned(offset < 0 ? CALL(SYS_writev, descriptor, parts, count, 0) : raw(SYS_pwritev, descriptor, (long)parts, count, offset, 0, 0));
  wait_if_slow(file->part);
  lock();
  if (broken(file->part, ON_WRITE)) {
    unlock();
    errno = (int)control->error_number;
    return -1;
  }
  event(file->part, ON_WRITE, 0);
  struct stat found;
  CALL(SYS_fstat, descriptor, &found, 0, 0);
  uint64_t start = offset >= 0 ? (uint64_t)offset
                   : CALL(SYS_fcntl, descriptor, F_GETFL, 0, 0) & O_APPEND ? (uint64_t)found.st_size
                                                                          : (uint64_t)CALL(SYS_lseek, descriptor, 0, SEEK_CUR, 0);
  size_t length = 0;
  for (int index = 0; index < count; index++) length += parts[index].iov_len;
  size_t allowed = S_ISREG(found.st_mode) ? room(file->part, (uint64_t)found.st_size, start, length) : length;
  long written = 0;
  if (length > 0 && allowed == 0) written = -ENOSPC;
  else if (allowed < length) {
    // As much of the first piece as there is room for: a short write, as a full disk gives.
    struct iovec first = {parts[0].iov_base, parts[0].iov_len < allowed ? parts[0].iov_len : allowed};
    written = offset < 0 ? CALL(SYS_writev, descriptor, &first, 1, 0) : raw(SYS_pwritev, descriptor, (long)&first, 1, offset, 0, 0);
  } else {
    written = offset < 0 ? CALL(SYS_writev, descriptor, parts, count, 0) : raw(SYS_pwritev, descriptor, (long)parts, count, offset, 0, 0);
  }
  if (written > 0 && file->journaled) note_written(file, start, parts, count, (size_t)written);
  event(file->part, ON_WRITE, 1);
  unlock();
  return returned(written);
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
  if (!tracked(descriptor)) return returned(CALL(SYS_write, descriptor, bytes, length, 0));
  struct iovec part = {(void *)bytes, length};
  return write_parts(descriptor, &part, 1, -1);
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t offset) {
  struct iovec part = {(void *)bytes, length};
  return write_parts(descriptor, &part, 1, offset);
}
ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t offset) { return pwrite64(descriptor, bytes, length, offset); }
ssize_t writev(int descriptor, const struct iovec *parts, int count) { return write_parts(descriptor, parts, count, -1); }
ssize_t pwritev64(int descriptor, const struct iovec *parts, int count, off64_t offset) { return write_parts(descriptor, parts, count, offset); }
ssize_t pwritev(int descriptor, const struct iovec *parts, int count, off_t offset) { return write_parts(descriptor, parts, count, offset); }

// What copies within the kernel would pass us by: callers fall back to reading and writing.
ssize_t sendfile(int out, int in, off_t *offset, size_t count) {
  if (tracked(out)) {
    errno = EINVAL;
    return -1;
  }
  return returned(CALL(SYS_sendfile, out, in, offset, count));
}
ssize_t sendfile64(int out, int in, off64_t *offset, size_t count) { return sendfile(out, in, offset, count); }

int ftruncate64(int descriptor, off64_t length) {
  struct tracked *file = tracked(descriptor);
  if (!file) return (int)returned(CALL(SYS_ftruncate, descriptor, length, 0, 0));
  lock();
  event(file->part, ON_WRITE, 0);
  long result = CALL(SYS_ftruncate, descriptor, length, 0, 0);
  if (result >= 0 && file->journaled) note(TRUNCATE, file->inode, (uint64_t)length, 0, 0, 0, 0);
  unlock();
  return (int)returned(result);
}
int ftruncate(int descriptor, off_t length) { return ftruncate64(descriptor, length); }
int truncate64(const char *path, off64_t length) {
  char full_path[PATH_MAX];
  uint8_t part = part_at(AT_FDCWD, path, full_path);
  lock();
  long result = CALL(SYS_truncate, path, length, 0, 0);
  if (part && result >= 0) note(TRUNCATE, inode_of(full_path), (uint64_t)length, 0, 0, 0, 0);
  unlock();
  return (int)returned(result);
}
int truncate(const char *path, off_t length) { return truncate64(path, length); }
int posix_fallocate64(int descriptor, off64_t offset, off64_t length) {
  struct stat found;
  if (CALL(SYS_fstat, descriptor, &found, 0, 0) < 0) return EBADF;
  return offset + length > found.st_size && ftruncate64(descriptor, offset + length) < 0 ? errno : 0;
}
int posix_fallocate(int descriptor, off_t offset, off_t length) { return posix_fallocate64(descriptor, offset, length); }
int fallocate64(int descriptor, int mode, off64_t offset, off64_t length) {
  if (!tracked(descriptor)) return (int)returned(CALL(SYS_fallocate, descriptor, mode, offset, length));
  errno = EOPNOTSUPP;
  return -1;
}
int fallocate(int descriptor, int mode, off_t offset, off_t length) { return fallocate64(descriptor, mode, offset, length); }

/* Syncs */

static int sync_descriptor(int descriptor, long number) {
  struct tracked *file = tracked(descriptor);
  if (!file) return (int)returned(CALL(number, descriptor, 0, 0, 0));
  uint64_t inode = file->inode;
  uint8_t part = file->part, journaled = file->journaled;
  lock();
  event(part, ON_SYNC, 0);
  uint64_t from = sequence;
  unlock();
  wait_if_slow(part);
  if (broken(part, ON_SYNC)) {
    errno = (int)control->error_number;
    return -1;
  }
  if (journal < 0) return 0;
  lock();
  if (journaled && !(control->forgotten_sync_parts & part)) note(SYNC, inode, from, 0, 0, 0, 0);
  event(part, ON_SYNC, 1);
  unlock();
  return 0;
}
int fsync(int descriptor) { return sync_descriptor(descriptor, SYS_fsync); }
int fdatasync(int descriptor) { return sync_descriptor(descriptor, SYS_fdatasync); }
int sync_file_range(int descriptor, off64_t offset, off64_t length, unsigned flags) {
  (void)descriptor, (void)offset, (void)length, (void)flags; // promises nothing about durability
  return 0;
}

/* Names */

// Carries out a change of names and notes it.
static long name_changed(uint8_t part, uint32_t operation, const char *first, const char *second, long number, long a, long b, long c, long d, long e, uint64_t extra) {
  lock();
  if (operation == MKDIR && full(part)) {
    unlock();
    return -ENOSPC;
  }
  event(part, ON_NAME, 0);
  long result = raw(number, a, b, c, d, e, 0);
  if (result >= 0 && part != PART_TEMPORARY)
    note(operation, operation == MKDIR ? inode_of(first) : operation == SYMLINK ? inode_of(second) : 0, extra, first, second, 0, 0);
  event(part, ON_NAME, 1);
  unlock();
  return result;
}

static int rename_at(int from_at, const char *from, int to_at, const char *to, unsigned flags) {
  char first[PATH_MAX], second[PATH_MAX];
  uint8_t part = part_at(from_at, from, first), other = part_at(to_at, to, second);
  if (!part && !other) return (int)returned(raw(SYS_renameat2, from_at, (long)from, to_at, (long)to, flags, 0));
  // From or to where nothing is noted: it would leave the journal wrong.
  int followed = part && other && !(flags & ~(unsigned)(RENAME_NOREPLACE | RENAME_EXCHANGE)) && (part == PART_TEMPORARY) == (other == PART_TEMPORARY);
  uint32_t operation = !followed ? UNKNOWN : flags & RENAME_EXCHANGE ? EXCHANGE : RENAME;
  return (int)returned(name_changed(part ? part : other, operation, first, second, SYS_renameat2, from_at, (long)from, to_at, (long)to, flags, 0));
}
int rename(const char *from, const char *to) { return rename_at(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int from_at, const char *from, int to_at, const char *to) { return rename_at(from_at, from, to_at, to, 0); }
int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags) { return rename_at(from_at, from, to_at, to, flags); }

int unlinkat(int at, const char *path, int flags) {
  char full_path[PATH_MAX];
  uint8_t part = part_at(at, path, full_path);
  if (!part) return (int)returned(CALL(SYS_unlinkat, at, path, flags, 0));
  return (int)returned(name_changed(part, flags & AT_REMOVEDIR ? RMDIR : UNLINK, full_path, 0, SYS_unlinkat, at, (long)path, flags, 0, 0, 0));
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char *path) {
  struct stat found;
  if (CALL(SYS_newfstatat, AT_FDCWD, path, &found, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(found.st_mode)) return rmdir(path);
  return unlink(path);
}
int mkdirat(int at, const char *path, mode_t mode) {
  char full_path[PATH_MAX];
  uint8_t part = part_at(at, path, full_path);
  if (!part) return (int)returned(CALL(SYS_mkdirat, at, path, mode, 0));
  return (int)returned(name_changed(part, MKDIR, full_path, 0, SYS_mkdirat, at, (long)path, mode, 0, 0, mode));
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }
int linkat(int from_at, const char *from, int to_at, const char *to, int flags) {
  char first[PATH_MAX], second[PATH_MAX];
  uint8_t part = part_at(from_at, from, first), other = part_at(to_at, to, second);
  if (!part && !other) return (int)returned(raw(SYS_linkat, from_at, (long)from, to_at, (long)to, flags, 0));
  return (int)returned(name_changed(other, part && other ? LINK : UNKNOWN, first, second, SYS_linkat, from_at, (long)from, to_at, (long)to, flags, 0));
}
int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }
int symlinkat(const char *target, int at, const char *path) {
  char full_path[PATH_MAX];
  uint8_t part = part_at(at, path, full_path);
  if (!part) return (int)returned(CALL(SYS_symlinkat, target, at, path, 0));
  return (int)returned(name_changed(part, SYMLINK, target, full_path, SYS_symlinkat, (long)target, at, (long)path, 0, 0, 0));
}
int symlink(const char *target, const char *path) { return symlinkat(target, AT_FDCWD, path); }

// ClickHouse renames through it, and libuv copies.
long syscall(long number, ...) {
  va_list rest;
  va_start(rest, number);
  long a = va_arg(rest, long), b = va_arg(rest, long), c = va_arg(rest, long), d = va_arg(rest, long), e = va_arg(rest, long), f = va_arg(rest, long);
  va_end(rest);
  if (number == SYS_renameat2) return rename_at((int)a, (const char *)b, (int)c, (const char *)d, (unsigned)e);
  if (number == SYS_copy_file_range && tracked((int)c)) {
    errno = ENOSYS;
    return -1;
  }
  if (number == SYS_close) return close((int)a);
  // io_uring would pass everything by.
  if (number == SYS_io_uring_setup) {
    errno = ENOSYS;
    return -1;
  }
  return returned(raw(number, a, b, c, d, e, f));
}

/* Free space: ClickHouse asks for it before it writes. */

static int with_space(int result, uint8_t part, struct statvfs *found) {
  if (result == 0 && (control->space_parts & part) && control->space >= 0) found->f_bfree = found->f_bavail = (fsblkcnt_t)control->space / found->f_frsize;
  return result;
}
int statvfs(const char *path, struct statvfs *found) {
  static int (*next)(const char *, struct statvfs *);
  if (!next) next = (int (*)(const char *, struct statvfs *))dlsym(RTLD_NEXT, "statvfs");
  char full_path[PATH_MAX];
  return with_space(next(path, found), part_at(AT_FDCWD, path, full_path), found);
}
int statvfs64(const char *path, struct statvfs64 *found) { return statvfs(path, (struct statvfs *)found); }
int fstatvfs(int descriptor, struct statvfs *found) {
  static int (*next)(int, struct statvfs *);
  if (!next) next = (int (*)(int, struct statvfs *))dlsym(RTLD_NEXT, "fstatvfs");
  struct tracked *file = tracked(descriptor);
  return with_space(next(descriptor, found), file ? file->part : 0, found);
}
int fstatvfs64(int descriptor, struct statvfs64 *found) { return fstatvfs(descriptor, (struct statvfs *)found); }

/* Clock */

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = next_clock_gettime ? next_clock_gettime(clock, time) : (int)returned(CALL(SYS_clock_gettime, clock, time, 0, 0));
  if (result == 0 && control->clock_offset_ns != 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    __int128 total = (__int128)time->tv_sec * 1000000000 + time->tv_nsec + control->clock_offset_ns;
    time->tv_sec = (time_t)(total / 1000000000);
    time->tv_nsec = (long)(total % 1000000000);
  }
  return result;
}
int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
  return 0;
}
time_t time(time_t *into) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (into) *into = now.tv_sec;
  return now.tv_sec;
}
