/** The format of a data directory, in a small file that is read first. */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { Schema } from "effect"
import { writeDurably } from "./durableFile.ts"

/** Rises when an older release can no longer read the directory. */
const FORMAT = 2

/** The format of releases that embedded a Postgres. */
const POSTGRES_FORMAT = 1

const MARKER = "format.json"

/** Files that may lie in an empty directory: leftovers, caches, a key to be used, and the mark of a mounted volume. */
const NEUTRAL = new Set([
  "control.sock",
  "encryption.key",
  "lock",
  "lost+found",
  "repositories",
  "segments",
  `${MARKER}.new`
])

const Marker = Schema.Struct({
  product: Schema.Literal("tributary"),
  format: Schema.Int,
  /** The file of the database, once there is one. */
  database: Schema.optionalKey(Schema.String)
})

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Marker))

const readMarker = (directory: string): typeof Marker.Type => {
  const text = readFileSync(join(directory, MARKER), "utf8")
  try {
    return decode(text)
  } catch {
    throw new Error(`its ${MARKER} was not written by Tributary, or it is damaged. Choose another directory`)
  }
}

const hasBytes = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0

/** Throws an error whose message says why this release cannot use the directory. */
export const readFormat = (directory: string): "empty" | "ready" => {
  const names = readdirSync(directory)
  if (!names.includes(MARKER)) {
    if (names.every((name) => NEUTRAL.has(name))) return "empty"
    throw new Error("it is not empty, and Tributary did not make it. Choose a new or an empty directory")
  }
  const { database, format } = readMarker(directory)
  if (format === POSTGRES_FORMAT) {
    throw new Error(
      "an earlier release wrote it, with an embedded Postgres. Run \"tributary export FILE\" with that release, and " +
        "\"tributary import FILE\" with this one and a new data directory"
    )
  }
  if (format > FORMAT) {
    throw new Error(
      `a newer release of Tributary wrote it (format ${format}; this release knows ${FORMAT}). Start that release`
    )
  }
  // A new one beside the other files would hide that all data is gone.
  if (database !== undefined && !hasBytes(join(directory, database))) {
    throw new Error(
      `its database ${database} is missing or empty. Put it back with the files beside it, or restore a backup into a ` +
        "new directory"
    )
  }
  return "ready"
}

const write = (directory: string, marker: Omit<typeof Marker.Type, "product" | "format">): void =>
  writeDurably(
    directory,
    MARKER,
    `${JSON.stringify({ product: "tributary", format: FORMAT, ...marker } satisfies typeof Marker.Type)}\n`
  )

/** Makes the directory ours, durably and in one step. */
export const writeFormat = (directory: string): void => write(directory, {})

/** From now on, the directory is unusable without its database. */
export const noteDatabase = (directory: string, database: string): void => {
  if (readMarker(directory).database !== database) write(directory, { database })
}
