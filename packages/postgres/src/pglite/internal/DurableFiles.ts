/**
 * The file system under PGlite, with the one thing that its own lacks: fsync.
 *
 * PGlite's file system answers every fsync without asking the disk, so `fsync=on` alone survives a killed process and
 * loses acknowledged rows when the power goes. `fdatasync` never gets as far as the file system and can only be avoided.
 */
import { fsyncSync } from "node:fs"
import { NodeFS } from "@electric-sql/pglite/nodefs"

/** `EIO` as WASI numbers it. The database stops on it, as it should: what it wrote may or may not be there. */
const inputOutputError = 29

/** The part of the mounted file system that is completed here. It is not in PGlite's types. */
interface NodeFileSystem {
  readonly stream_ops: { fsync?: (stream: { readonly nfd: number }) => number }
}

type Options = Parameters<NodeFS["init"]>[1]
type PreRun = NonNullable<Options["preRun"]>[number]

export class DurableFiles extends NodeFS {
  readonly #sync: (descriptor: number) => void

  constructor(directory: string, sync = fsyncSync) {
    super(directory)
    this.#sync = sync
  }

  override async init(...[database, options]: Parameters<NodeFS["init"]>): ReturnType<NodeFS["init"]> {
    const { emscriptenOpts } = await super.init(database, options)
    const complete: PreRun = (module: unknown) => {
      ;(module as { readonly NODEFS: NodeFileSystem }).NODEFS.stream_ops.fsync = ({ nfd }) => this.#fsync(nfd)
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...emscriptenOpts.preRun ?? [], complete] } }
  }

  #fsync(descriptor: number): number {
    try {
      this.#sync(descriptor)
      return 0
    } catch {
      return inputOutputError
    }
  }
}

/** The database touches all of it when it opens. What is not in there comes from the cache of the operating system. */
const SHARED_BUFFERS = "16MB"

/** How much of the log stays on the disk to be written over, once a checkpoint has made it needless. */
const LOG_KEPT = "128MB"

/** How closely a table is looked at when it is analyzed: at a tenth of the rows that Postgres would, to take no time. */
const STATISTICS_TARGET = 10

/** The settings of a database that does, or does not, wait for the disk. */
export const durability = (defaults: ReadonlyArray<string>, isDurable: boolean): Array<string> => [
  ...defaults.filter((parameter) => parameter !== "-F"),
  "-c",
  `shared_buffers=${SHARED_BUFFERS}`,
  "-c",
  `max_wal_size=${LOG_KEPT}`,
  "-c",
  `default_statistics_target=${STATISTICS_TARGET}`,
  ...isDurable ? ["-c", "fsync=on", "-c", "wal_sync_method=fsync"] : ["-F"]
]
