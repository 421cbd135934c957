/** One connection to the database file: the driver. Every call is synchronous. */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"

/** A value that can be bound. Dates are stored as integer milliseconds. */
export type Value = string | number | boolean | Date | Uint8Array | null

export interface ConnectionOptions {
  readonly path: string
  /** Whether a commit waits for the disk. */
  readonly fsync: boolean
  readonly readOnly?: boolean
}

/** In place, because rest parameters are an array of their own. */
const bound = (values: Array<Value>): Array<SQLInputValue> => {
  for (let index = 0; index < values.length; index++) {
    const value = values[index]
    if (typeof value === "boolean") values[index] = Number(value)
    else if (value instanceof Date) values[index] = value.getTime()
  }
  return values as Array<SQLInputValue>
}

/** In UTF-16 code units or bytes. */
const LARGE = 1_000_000

const isLarge = (value: Value): boolean =>
  (typeof value === "string" || value instanceof Uint8Array) && value.length > LARGE

// A larger log only delays recovery. Incremental vacuum has to be chosen before the first table is created.
const WRITABLE = `
  PRAGMA auto_vacuum = INCREMENTAL;
  PRAGMA journal_mode = WAL;
  PRAGMA journal_size_limit = 67108864;
  PRAGMA wal_autocheckpoint = 4000;
  PRAGMA secure_delete = FAST`

// macOS acknowledges a plain fsync before the data has left the drive's cache.
const FULL = "PRAGMA synchronous = FULL; PRAGMA fullfsync = 1; PRAGMA checkpoint_fullfsync = 1"
const NORMAL = "PRAGMA synchronous = NORMAL; PRAGMA fullfsync = 0; PRAGMA checkpoint_fullfsync = 0"

export class SqliteConnection {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  readonly #fsync: boolean
  #durable: boolean | undefined

  constructor({ fsync, path, readOnly = false }: ConnectionOptions) {
    this.#fsync = fsync
    // Loaded here, because older versions of Node print a warning as soon as the module is imported.
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite")
    this.#database = new DatabaseSync(path, { readOnly, timeout: 5_000 })
    try {
      this.exec("PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY")
      if (readOnly) return
      this.exec(WRITABLE)
      this.setDurable(true)
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** Whether the next commits wait for the disk. One that does also makes the commits before it durable. */
  setDurable(durable: boolean): void {
    const next = durable && this.#fsync
    if (next !== this.#durable) this.exec(next ? FULL : NORMAL)
    this.#durable = next
  }

  exec(statements: string): void {
    this.#database.exec(statements)
  }

  /** A statement keeps a copy of its values until it gets others, so one with a large value is used once. */
  #prepared(statement: string, values: ReadonlyArray<Value>): StatementSync {
    if (values.some(isLarge)) return this.#database.prepare(statement)
    const known = this.#statements.get(statement)
    if (known !== undefined) return known
    const prepared = this.#database.prepare(statement)
    this.#statements.set(statement, prepared)
    return prepared
  }

  get<Row>(statement: string, ...values: Array<Value>): Row | undefined {
    return this.#prepared(statement, values).get(...bound(values)) as Row | undefined
  }

  all<Row>(statement: string, ...values: Array<Value>): ReadonlyArray<Row> {
    return this.#prepared(statement, values).all(...bound(values)) as unknown as ReadonlyArray<Row>
  }

  /** Row by row, for more than fits into memory. */
  iterate<Row>(statement: string): IterableIterator<Row> {
    return this.#database.prepare(statement).iterate() as unknown as IterableIterator<Row>
  }

  /** The number of changed rows. */
  run(statement: string, ...values: Array<Value>): number {
    return Number(this.#prepared(statement, values).run(...bound(values)).changes)
  }

  /** The rowid of the inserted row. */
  insert(statement: string, ...values: Array<Value>): number {
    return Number(this.#prepared(statement, values).run(...bound(values)).lastInsertRowid)
  }

  /** Commits everything that `act` changes, or nothing when it throws. */
  transaction<A>(begin: "BEGIN" | "BEGIN IMMEDIATE", act: () => A): A {
    this.exec(begin)
    try {
      const result = act()
      this.exec("COMMIT")
      return result
    } catch (error) {
      // SQLite has already rolled back when the disk failed.
      if (this.#database.isTransaction) this.exec("ROLLBACK")
      throw error
    }
  }

  close(): void {
    this.#database.close()
  }
}
