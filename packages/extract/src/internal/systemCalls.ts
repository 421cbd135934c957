/**
 * System calls that parsing a file never needs, with their numbers on x64 and on arm64, where some do not exist.
 *
 * A list of permitted calls would have to follow every version of Node and of the C library.
 */

type Numbers = readonly [x64: number | null, arm64: number | null]

const NETWORK: Readonly<Record<string, Numbers>> = {
  socket: [41, 198],
  socketpair: [53, 199],
  connect: [42, 203],
  bind: [49, 200],
  listen: [50, 201],
  accept: [43, 202],
  accept4: [288, 242]
}

const OTHER_PROCESSES: Readonly<Record<string, Numbers>> = {
  fork: [57, null],
  vfork: [58, null],
  kill: [62, 129],
  tkill: [200, 130],
  tgkill: [234, 131],
  rt_sigqueueinfo: [129, 138],
  rt_tgsigqueueinfo: [297, 240],
  pidfd_open: [434, 434],
  pidfd_getfd: [438, 438],
  pidfd_send_signal: [424, 424],
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  kcmp: [312, 272],
  setpriority: [141, 140],
  sched_setaffinity: [203, 122],
  sched_setscheduler: [144, 119],
  sched_setparam: [142, 118],
  sched_setattr: [314, 274],
  ioprio_set: [251, 30],
  migrate_pages: [256, 238],
  move_pages: [279, 239],
  shmget: [29, 194],
  shmat: [30, 196],
  shmctl: [31, 195],
  msgget: [68, 186],
  semget: [64, 190],
  mq_open: [240, 180],
  mq_unlink: [241, 181]
}

const CHANGES_OF_FILES: Readonly<Record<string, Numbers>> = {
  creat: [85, null],
  truncate: [76, 45],
  unlink: [87, null],
  unlinkat: [263, 35],
  rename: [82, null],
  renameat: [264, 38],
  renameat2: [316, 276],
  link: [86, null],
  linkat: [265, 37],
  symlink: [88, null],
  symlinkat: [266, 36],
  mkdir: [83, null],
  mkdirat: [258, 34],
  rmdir: [84, null],
  mknod: [133, null],
  mknodat: [259, 33],
  chmod: [90, null],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  chown: [92, null],
  lchown: [94, null],
  fchown: [93, 55],
  fchownat: [260, 54],
  utime: [132, null],
  utimes: [235, null],
  futimesat: [261, null],
  utimensat: [280, 88],
  setxattr: [188, 5],
  lsetxattr: [189, 6],
  fsetxattr: [190, 7],
  removexattr: [197, 14],
  lremovexattr: [198, 15],
  fremovexattr: [199, 16],
  open_by_handle_at: [304, 265]
}

/** Most of these need an administrator, which a server in a container often is. */
const KERNEL: Readonly<Record<string, Numbers>> = {
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  io_setup: [206, 0],
  userfaultfd: [323, 282],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  unshare: [272, 97],
  setns: [308, 268],
  mount: [165, 40],
  umount2: [166, 39],
  move_mount: [429, 429],
  open_tree: [428, 428],
  fsopen: [430, 430],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  pivot_root: [155, 41],
  chroot: [161, 51],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  acct: [163, 89],
  quotactl: [179, 60],
  syslog: [103, 116],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  iopl: [172, null],
  ioperm: [173, null],
  modify_ldt: [154, null],
  vhangup: [153, 58],
  personality: [135, 92]
}

export const DENIED: Readonly<Record<string, Numbers>> = {
  ...NETWORK,
  ...OTHER_PROCESSES,
  ...CHANGES_OF_FILES,
  ...KERNEL
}

/** Their flags are in memory, which a filter cannot read. The C library then uses the older calls. */
export const ABSENT: Readonly<Record<string, Numbers>> = { clone3: [435, 435], openat2: [437, 437] }

/** Permitted with some arguments only. */
export const CHECKED = {
  clone: [56, 220],
  ioctl: [16, 29],
  open: [2, null],
  openat: [257, 56],
  prlimit64: [302, 261]
} as const satisfies Readonly<Record<string, Numbers>>

/** The last call that this list considers: later ones do not exist for the process, as in an older kernel. */
export const LAST = 462
