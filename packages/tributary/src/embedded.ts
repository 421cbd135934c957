/** Storage in an SQLite database file, in this process. */
import * as MemoryRateWindows from "@tributary/memory/MemoryRateWindows"
import { DataDirectory } from "@tributary/node/DataDirectory"
import * as EncryptionKey from "@tributary/node/EncryptionKey"
import * as SegmentFiles from "@tributary/node/SegmentFiles"
import * as Sqlite from "@tributary/sqlite/Sqlite"
import { Effect, Layer } from "effect"
import { join } from "node:path"
import type { Parts } from "./parts.ts"

export interface Embedded {
  /** Created if it does not exist. One process uses it at a time. */
  readonly directory: string
  /** Whether writes wait for the disk; true by default. If false, a power failure may undo the last writes. */
  readonly fsync?: boolean | undefined
}

const ports = (fsync: boolean) =>
  Layer.unwrap(
    Effect.map(DataDirectory, ({ noteDatabase, path }) =>
      Layer.merge(
        Sqlite.layer({ path: join(path, Sqlite.FILE_NAME), fsync, alone: true }).pipe(
          Layer.tap(() => noteDatabase(Sqlite.FILE_NAME))
        ),
        SegmentFiles.layer(join(path, "segments"))
      ))
  )

/** Rate windows stay in memory, because no other process shares them. */
export const layer = ({ directory, encryptionKeys, fsync = true }: Embedded & Pick<Parts, "encryptionKeys">) =>
  Layer.mergeAll(
    ports(fsync),
    MemoryRateWindows.layer,
    encryptionKeys === undefined ? EncryptionKey.layer : Layer.empty
  ).pipe(Layer.provide(DataDirectory.layer(directory)))
