import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs"
import { join } from "node:path"

/** On Linux. */
const MEMORY = "/dev/shm"

/** Bytes: the files take some 1.2 GB, and processes the rest. */
const ROOM = 4 * 1024 ** 3

const isExecutable = (): boolean => {
  const [, options] = new RegExp(`^\\S+ ${MEMORY} tmpfs (\\S+)`, "m").exec(readFileSync("/proc/mounts", "utf8")) ?? []
  return options !== undefined && !options.split(",").includes("noexec")
}

const hasRoom = (): boolean => {
  const { bavail, bsize } = statfsSync(MEMORY)
  return Math.min(bavail * bsize, process.availableMemory()) > ROOM
}

const remove = (folder: string): void => {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  } catch {
    // It is another user's, or a disk is mounted in it.
  }
}

/** A run that is killed leaves its files behind. */
const removeAbandoned = (): void => {
  for (const name of readdirSync(MEMORY)) {
    const [, run] = /^tributary-tests-(\d+)$/.exec(name) ?? []
    if (run !== undefined && !existsSync(`/proc/${run}`)) remove(join(MEMORY, name))
  }
}

/**
 * Puts the temporary files of a run into memory until it ends, if there is room: tests make many, and on a disk they
 * wait for most of them.
 */
export const keepInMemory = (): void => {
  const folder = process.env["TRIBUTARY_TESTS_MEMORY"] ?? join(MEMORY, `tributary-tests-${process.pid}`)
  if (process.env["TMPDIR"] === folder) return
  try {
    if (!isExecutable() || !hasRoom()) return
    removeAbandoned()
    mkdirSync(folder, { recursive: true })
  } catch {
    return
  }
  // Some tests run programs as somebody else.
  chmodSync(folder, 0o1777)
  process.env["TMPDIR"] = folder
  process.once("exit", () => remove(folder))
}
