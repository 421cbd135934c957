/** When the database was last written to, as its files say. */
import { LastWritten } from "@tributary/core/ports/LastWritten"
import { Effect, Layer } from "effect"
import { statSync } from "node:fs"

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity

/** Built before the database is opened. */
export const lastWritten = (path: string) =>
  Layer.effect(
    LastWritten,
    Effect.sync(() => {
      const last = Math.max(changedAt(path), changedAt(`${path}-wal`))
      return last === -Infinity ? Infinity : last
    })
  )
