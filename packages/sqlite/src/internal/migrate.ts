/** Brings the schema up to date in one transaction. */
import { migrations } from "../migrations/index.ts"
import type { SqliteConnection } from "./SqliteConnection.ts"

/** "Trib" in the file header: a file with another number belongs to another program. */
export const APPLICATION_ID = 0x54726962

/** The file is a sound database that this release must not touch. */
export class ForeignFile extends Error {}

/** The schema's version. Throws when the file belongs to another program or to a newer release. */
export const readVersion = (db: SqliteConnection): number => {
  const [application, version] = [db.pragma("application_id"), db.pragma("user_version")]
  const { tables } = db.get<{ readonly tables: number }>("SELECT count(*) AS tables FROM sqlite_schema")!
  if (application !== APPLICATION_ID && (application !== 0 || tables > 0)) {
    throw new ForeignFile("it belongs to another program")
  }
  if (version > migrations.length) {
    throw new ForeignFile(
      `its schema has version ${version}, and this release knows versions up to ${migrations.length}: start a newer release`
    )
  }
  return version
}

/** Throws unless the schema is the one of this release. */
export const assertCurrent = (db: SqliteConnection): void => {
  const version = readVersion(db)
  if (version === migrations.length) return
  throw new ForeignFile(`its schema has version ${version}, of an earlier release: run "tributary migrate"`)
}

export const migrate = (db: SqliteConnection): void => {
  if (readVersion(db) === migrations.length) return
  db.transaction("BEGIN IMMEDIATE", () => {
    for (const statements of migrations.slice(readVersion(db))) db.exec(statements)
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}`)
  })
}
