/** Storage in a database file of its own, in this process. */
import * as MemoryRateWindows from "@tributary/memory/MemoryRateWindows"
import { DataDirectory } from "@tributary/node/DataDirectory"
import * as Sqlite from "@tributary/sqlite/Sqlite"
import { Effect, Layer } from "effect"
import { join } from "node:path"

export interface Embedded {
  /** Made when it is absent. One process uses it at a time. */
  readonly directory: string
  /** Whether an answer waits for the disk; true by default. Without it, a power failure may undo the last writes. */
  readonly fsync?: boolean
}

const ports = (fsync: boolean) =>
  Layer.unwrap(
    Effect.map(DataDirectory, ({ path }) => Sqlite.layer({ path: join(path, Sqlite.FILE_NAME), fsync, alone: true }))
  )

/** Rate windows, which nobody else shares, stay in memory. */
export const layer = ({ directory, fsync = true }: Embedded) =>
  Layer.mergeAll(ports(fsync), MemoryRateWindows.layer).pipe(Layer.provide(DataDirectory.layer(directory)))
