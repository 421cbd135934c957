/** What a process that reads files of strangers can reach of the machine. */
import { execFileSync, fork } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { missing } from "../../../.ci/missing.ts"
import { availableConfinement, type Confinement, sandboxed } from "../src/internal/sandbox.ts"
import { filteredCommand } from "../src/internal/systemCallFilter.ts"
import { ABSENT, CHECKED, DENIED } from "../src/internal/systemCalls.ts"
import type { Attempts } from "./support/probe.ts"

const entry = fileURLToPath(new URL("./support/probe.ts", import.meta.url))

const available = await availableConfinement()
if (process.platform === "linux" && !available.isFiltered) missing("TOOLS", "perl")

/** The kernel's own lists of numbers, by column. */
const HEADERS = ["/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm-generic/unistd.h"]

describe("a process that parses files", () => {
  let folder: string
  const server = createServer()
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "tributary-confined-"))
    writeFileSync(join(folder, "secret"), "x")
    await once(server.listen(0, "127.0.0.1"), "listening")
  })
  afterEach(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })

  const deeds = async (confinement: Confinement): Promise<ReadonlyArray<string>> => {
    const child = fork(entry, { ...sandboxed(64, confinement), serialization: "advanced" })
    const attempts: Attempts = {
      secretFile: join(folder, "secret"),
      newFile: join(folder, "new"),
      port: (server.address() as AddressInfo).port
    }
    child.send(attempts)
    const [done] = await once(child, "message")
    assert.isFalse(existsSync(attempts.newFile))
    return done
  }

  it("reads only its own code, no environment, and can neither start nor write anything", async () => {
    assert.deepStrictEqual(await deeds({ isNetworkless: false, isFiltered: false }), [
      "read its own code",
      "connect to a port"
    ])
  })

  it("has no network if the system can deny it", async (context) => {
    if (!available.isNetworkless) return context.skip("This system lets no user have a network of its own.")
    assert.deepStrictEqual(await deeds({ isNetworkless: true, isFiltered: false }), ["read its own code"])
  })

  it("has no network if system calls are filtered", async (context) => {
    if (!available.isFiltered) return context.skip("This system has no filter of system calls.")
    assert.deepStrictEqual(await deeds({ isNetworkless: false, isFiltered: true }), ["read its own code"])
  })
})

/** Calls by name, and what each says: a number of an error, or none. */
const PROBE = `
  my %call = @ARGV;
  foreach my $name (sort keys %call) {
    my ($number, @arguments) = split / /, $call{$name};
    my @values = map { /^-?[0-9]+$/ ? 0 + $_ : "$_" } @arguments;
    $! = 0;
    my $outcome = syscall(0 + $number, @values);
    printf "%s %d\\n", $name, $outcome < 0 ? $! : 0;
    exit if $name eq "fork" and $outcome == 0;
  }`

const EPERM = 1
const ENOSYS = 38

describe.runIf(available.isFiltered)("the filter of system calls", () => {
  const column = process.arch === "x64" ? 0 : 1
  const numberOf = (name: string): number | null => ({ ...DENIED, ...ABSENT, ...CHECKED })[name]![column]

  const outcomesOf = (calls: Readonly<Record<string, string>>) => {
    const printed = execFileSync(
      filteredCommand()![0]!,
      [...filteredCommand()!.slice(1), "/usr/bin/perl", "-e", PROBE, ...Object.entries(calls).flat()],
      { encoding: "utf8" }
    )
    return Object.fromEntries(printed.trim().split("\n").map((line) => line.split(" ")))
  }

  it("refuses the network, other processes, changes of files and the kernel's interfaces", () => {
    assert.containsAllKeys(DENIED, ["socket", "ptrace", "process_vm_readv", "kill", "io_uring_setup", "bpf", "keyctl"])
    assert.containsAllKeys(DENIED, ["userfaultfd", "perf_event_open", "mount", "unshare", "setns", "kexec_load"])
    const calls = Object.keys(DENIED).filter((name) => numberOf(name) !== null)
    const outcomes = outcomesOf(Object.fromEntries(calls.map((name) => [name, `${numberOf(name)} -1 -1 -1 -1 -1`])))
    assert.deepStrictEqual(outcomes, Object.fromEntries(calls.map((name) => [name, `${EPERM}`])))
  })

  it("refuses new processes and namespaces, files to write, typing into a terminal, and limits of others", () => {
    const THREAD_IN_NEW_NETWORK = 0x10000 | 0x40000000
    const [clone, ioctl, openat, prlimit] = ["clone", "ioctl", "openat", "prlimit64"].map(numberOf)
    const newFile = join(tmpdir(), "tributary-never-made")
    const write = (flags: number) => `${openat} -100 ${newFile} ${flags} 384`
    assert.deepStrictEqual(
      outcomesOf({
        process: `${clone} 17 0 0 0 0`,
        namespace: `${clone} ${THREAD_IN_NEW_NETWORK} 0 0 0 0`,
        create: write(0o101),
        truncate: write(0o1000),
        append: write(0o2001),
        typing: `${ioctl} -1 ${0x5412} 0`,
        pasting: `${ioctl} -1 ${0x541c} 0`,
        other_ioctl: `${ioctl} -1 ${0x5413} 0`,
        limits: `${prlimit} ${process.pid} 7 0 0`,
        own_limits: `${prlimit} 0 7 0 0`
      }),
      {
        process: "1",
        namespace: "1",
        create: "1",
        truncate: "1",
        append: "1",
        typing: "1",
        pasting: "1",
        other_ioctl: "9",
        limits: "1",
        own_limits: "0"
      }
    )
    assert.isFalse(existsSync(newFile))
  })

  it("lets newer calls look absent, so that libraries use those that it knows", () => {
    assert.deepStrictEqual(
      outcomesOf({ clone3: `${numberOf("clone3")} 0 0`, newest: "463 0", x32: `${0x40000000 + 41} 2 1 0` }),
      {
        clone3: `${ENOSYS}`,
        newest: `${ENOSYS}`,
        x32: `${ENOSYS}`
      }
    )
  })
})

it.runIf(HEADERS.every((path) => existsSync(path)))("system calls have the numbers of the kernel's headers", () => {
  const [x64, arm64] = HEADERS.map((path) => {
    const lines = readFileSync(path, "utf8").matchAll(/^#define __NR(?:3264)?_(\w+)\s+(\d+)$/gm)
    return new Map([...lines].map(([, name, number]) => [name!, Number(number)]))
  })
  for (const [name, numbers] of Object.entries({ ...DENIED, ...ABSENT, ...CHECKED })) {
    // Newer than the headers of an old system.
    if (!x64!.has(name) && !arm64!.has(name)) continue
    assert.deepStrictEqual([...numbers], [x64!.get(name) ?? null, arm64!.get(name) ?? null], name)
  }
})
