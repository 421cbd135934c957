/**
 * A seccomp filter: a program of the kernel's packet filter (BPF) that decides which system calls a process may use.
 *
 * A denied call fails with EPERM. To end the process instead would make files unreadable as soon as a new version of
 * Node tries a call whose failure it could handle.
 *
 * Node cannot set a filter, so perl does, which every Debian and Ubuntu has, and is then replaced by Node.
 */
import { ABSENT, CHECKED, DENIED, LAST } from "./systemCalls.ts"

const PERL = "/usr/bin/perl"

/** The filter in hexadecimal, the number of `prctl`, and the command. A process never loses its filter. */
const SET_FILTER = `
  my $filter = pack "H*", shift;
  my $prctl = 0 + shift;
  my $program = pack "S x![P] P", length($filter) / 8, $filter;
  syscall($prctl, 38, 1, 0, 0, 0) == 0 or die "PR_SET_NO_NEW_PRIVS: $!";
  syscall($prctl, 22, 2, $program, 0, 0) == 0 or die "PR_SET_SECCOMP: $!";
  exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!"`

/** By architecture: the column of its numbers, its name in the kernel, and its number of `prctl`. */
const ARCHITECTURES: Readonly<Partial<Record<NodeJS.Architecture, readonly [0 | 1, number, number]>>> = {
  x64: [0, 0xc000003e, 157],
  arm64: [1, 0xc00000b7, 167]
}

type Instruction = readonly [code: number, value: number, jumpIfTrue?: number, jumpIfFalse?: number]

const LOAD = 0x20
const IS = 0x15
const EXCEEDS = 0x25
const HAS_ANY = 0x45
const AND = 0x54
const RETURN = 0x06

const NUMBER = 0
const ARCHITECTURE = 4
/** The lower half of an argument, which is all that these calls use. */
const argument = (index: number): number => 16 + 8 * index

const ALLOW: Instruction = [RETURN, 0x7fff0000]
const KILL: Instruction = [RETURN, 0x80000000]
const EPERM: Instruction = [RETURN, 0x00050001]
const ENOSYS: Instruction = [RETURN, 0x00050026]

const CLONE_THREAD = 0x00010000
const CLONE_NEW_NAMESPACES = 0x7e020000

/** For writing, creating and truncating. */
const OPEN_TO_CHANGE = 0o1103

const onlyThreads: ReadonlyArray<Instruction> = [
  [LOAD, argument(0)],
  [AND, CLONE_THREAD | CLONE_NEW_NAMESPACES],
  [IS, CLONE_THREAD, 1, 0],
  EPERM,
  ALLOW
]

const onlyReading = (flags: number): ReadonlyArray<Instruction> => [
  [LOAD, argument(flags)],
  [HAS_ANY, OPEN_TO_CHANGE, 0, 1],
  EPERM,
  ALLOW
]

/** A program that may do these to the terminal of the server types commands into it: TIOCSTI and TIOCLINUX. */
const withoutTyping: ReadonlyArray<Instruction> = [
  [LOAD, argument(1)],
  [IS, 0x5412, 1, 0],
  [IS, 0x541c, 0, 1],
  EPERM,
  ALLOW
]

const onlyItself: ReadonlyArray<Instruction> = [[LOAD, argument(0)], [IS, 0, 1, 0], EPERM, ALLOW]

const programOf = (column: 0 | 1, architecture: number): ReadonlyArray<Instruction> => {
  const when = (numbers: readonly [number | null, number | null], then: ReadonlyArray<Instruction>) => {
    const number = numbers[column]
    return number === null ? [] : [[IS, number, 0, then.length] as const, ...then]
  }
  return [
    [LOAD, ARCHITECTURE],
    [IS, architecture, 1, 0],
    KILL,
    [LOAD, NUMBER],
    [EXCEEDS, LAST, 0, 1],
    ENOSYS,
    ...Object.values(DENIED).flatMap((numbers) => when(numbers, [EPERM])),
    ...Object.values(ABSENT).flatMap((numbers) => when(numbers, [ENOSYS])),
    ...when(CHECKED.clone, onlyThreads),
    ...when(CHECKED.ioctl, withoutTyping),
    ...when(CHECKED.open, onlyReading(1)),
    ...when(CHECKED.openat, onlyReading(2)),
    ...when(CHECKED.prlimit64, onlyItself),
    ALLOW
  ]
}

const encode = (program: ReadonlyArray<Instruction>): string => {
  const bytes = new DataView(new ArrayBuffer(8 * program.length))
  for (const [index, [code, value, jumpIfTrue = 0, jumpIfFalse = 0]] of program.entries()) {
    bytes.setUint16(8 * index, code, true)
    bytes.setUint8(8 * index + 2, jumpIfTrue)
    bytes.setUint8(8 * index + 3, jumpIfFalse)
    bytes.setUint32(8 * index + 4, value, true)
  }
  return Buffer.from(bytes.buffer).toString("hex")
}

/** A command that runs the command behind it with the filter, or null on a system without one. */
export const filteredCommand = (): ReadonlyArray<string> | null => {
  const architecture = ARCHITECTURES[process.arch]
  if (process.platform !== "linux" || architecture === undefined) return null
  const [column, name, prctl] = architecture
  return [PERL, "-e", SET_FILTER, encode(programOf(column, name)), String(prctl)]
}
