/** Storage in a database of its own, in this process. */
import * as MemoryRateWindows from "@tributary/memory/MemoryRateWindows"
import * as PgliteClient from "@tributary/postgres/pglite/PgliteClient"
import * as Postgres from "@tributary/postgres/Postgres"
import { Layer } from "effect"

export interface Embedded {
  /** Made when it is absent. One process uses it at a time. */
  readonly directory: string
  /** Whether an answer waits for the disk, as it does unless told. Without it, a power failure may undo the last ones. */
  readonly fsync?: boolean
}

/** Rate windows, which nobody else shares, stay in memory. */
export const layer = ({ directory, fsync = true }: Embedded) =>
  Layer.mergeAll(Postgres.layer(), MemoryRateWindows.layer).pipe(
    Layer.provide(PgliteClient.layer({ dataDir: directory, fsync }))
  )
