/** What a data directory says about itself, in one small file that is written first and read before anything is touched. */
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, writeSync } from "node:fs"
import { join } from "node:path"
import { Schema } from "effect"
import { syncPath } from "./syncFiles.ts"

/** Rises when an older release could no longer read the directory. */
export const directoryFormat = 1

/** Of the PGlite release in use. Its files fit no other major version of Postgres. */
export const postgresMajor = 18

const markerName = "format.json"

/** What may lie in a directory without making it somebody's: our own leftovers and copies, and the mark of a mounted volume. */
const meaningless = new Set(["control.sock", `${markerName}.new`, "segments", "repositories", "lost+found"])

const Marker = Schema.Struct({
  product: Schema.Literal("tributary"),
  format: Schema.Int,
  postgres: Schema.Int,
  /** `creating` until the database has opened once: nothing in it was ever acknowledged. */
  state: Schema.Literals(["creating", "ready"])
})
type State = typeof Marker.Type["state"]

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Marker))

const judgeMajor = (major: string): void => {
  if (major === String(postgresMajor)) return
  throw new Error(
    `it holds a database of PostgreSQL ${major}, and this release embeds PostgreSQL ${postgresMajor}. ` +
      "Export it with the release that wrote it, and import that into a new directory"
  )
}

/** `"empty"` or the state of a directory that this release can use; otherwise an error whose message says why not. */
export const readFormat = (directory: string): State | "empty" => {
  const names = readdirSync(directory)
  if (!names.includes(markerName)) {
    if (names.every((name) => meaningless.has(name))) return "empty"
    throw new Error("it is not empty, and Tributary did not make it. Choose a new or an empty directory")
  }
  const text = readFileSync(join(directory, markerName), "utf8")
  let marker: typeof Marker.Type
  try {
    marker = decode(text)
  } catch {
    throw new Error(`its ${markerName} is not one that Tributary wrote, or it is damaged. Choose another directory`)
  }
  if (marker.format > directoryFormat) {
    throw new Error(
      `a newer release of Tributary wrote it (format ${marker.format}; this release knows ${directoryFormat}). ` +
        "Start that release"
    )
  }
  judgeMajor(String(marker.postgres))
  return marker.state
}

/** Throws when the files of the database are not of the Postgres in use, whatever the marker says. */
export const judgeDatabase = (databasePath: string): void =>
  judgeMajor(readFileSync(join(databasePath, "PG_VERSION"), "utf8").trim())

/** Replaces the marker as a whole, on the disk. */
export const writeFormat = (directory: string, state: State): void => {
  const path = join(directory, markerName)
  const marker: typeof Marker.Type = { product: "tributary", format: directoryFormat, postgres: postgresMajor, state }
  const file = openSync(`${path}.new`, "w", 0o600)
  writeSync(file, `${JSON.stringify(marker)}\n`)
  fsyncSync(file)
  closeSync(file)
  renameSync(`${path}.new`, path)
  syncPath(directory)
}
