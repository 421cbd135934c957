/** One connection to the database file: the driver. Every call is synchronous. */
import { foldText } from "@tributary/core/model/folding"
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"

/** A value that can be bound. Dates are stored as integer milliseconds. */
export type Value = string | number | boolean | Date | Uint8Array | null

export interface ConnectionOptions {
  readonly path: string
  /** Whether a commit waits for the disk. */
  readonly fsync: boolean
  readonly readOnly?: boolean
}

/** In UTF-16 code units or bytes. */
const LARGE = 1_000_000

const isLarge = (value: Value): boolean =>
  (typeof value === "string" || value instanceof Uint8Array) && value.length > LARGE

/** In place, because rest parameters are an array of their own. */
const bound = (values: Array<Value>): Array<SQLInputValue> => {
  for (let index = 0; index < values.length; index++) {
    const value = values[index]
    if (typeof value === "boolean") values[index] = Number(value)
    else if (value instanceof Date) values[index] = value.getTime()
  }
  return values as Array<SQLInputValue>
}

interface Prepared {
  readonly statement: StatementSync
  readonly columns: ReadonlyArray<string>
}

/** The driver's own objects are hash tables, which take longer to make and much longer to copy. */
const toRow = <Row>({ columns }: Prepared, values: ReadonlyArray<unknown>): Row => {
  const row: Record<string, unknown> = {}
  for (let index = 0; index < columns.length; index++) row[columns[index]!] = values[index]
  return row as Row
}

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
  readonly #statements = new Map<string, Prepared>()
  readonly #fsync: boolean
  #durable: boolean | undefined

  constructor({ fsync, path, readOnly = false }: ConnectionOptions) {
    this.#fsync = fsync
    // Loaded here, because older versions of Node print a warning as soon as the module is imported.
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite")
    this.#database = new DatabaseSync(path, { readOnly, timeout: 5_000 })
    this.#database.function("fold_text", { deterministic: true }, (text) => foldText(String(text)))
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

  #prepare(sql: string): Prepared {
    const statement = this.#database.prepare(sql)
    statement.setReturnArrays(true)
    return { statement, columns: statement.columns().map(({ name }) => name) }
  }

  #prepared(sql: string): Prepared {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const prepared = this.#prepare(sql)
    this.#statements.set(sql, prepared)
    return prepared
  }

  #execute<A>(
    sql: string,
    values: Array<Value>,
    act: (prepared: Prepared, values: ReadonlyArray<SQLInputValue>) => A
  ): A {
    const prepared = this.#prepared(sql)
    try {
      return act(prepared, bound(values))
    } finally {
      // A statement keeps copies of its values until it gets others. An iteration without a step only takes them away.
      if (values.some(isLarge)) prepared.statement.iterate()
    }
  }

  get<Row>(sql: string, ...values: Array<Value>): Row | undefined {
    return this.#execute(sql, values, (prepared, values) => {
      const found = prepared.statement.get(...values) as ReadonlyArray<unknown> | undefined
      return found === undefined ? undefined : toRow<Row>(prepared, found)
    })
  }

  all<Row>(sql: string, ...values: Array<Value>): ReadonlyArray<Row> {
    return this.#execute(sql, values, (prepared, values) => {
      const found = prepared.statement.all(...values) as unknown as ReadonlyArray<ReadonlyArray<unknown>>
      return found.map((row) => toRow<Row>(prepared, row))
    })
  }

  /** The value of a setting, or a number that SQLite knows of the file. */
  pragma(name: string): number {
    return Object.values(this.get<Record<string, number>>(`PRAGMA ${name}`)!)[0]!
  }

  /** Row by row, for more than fits into memory. */
  *iterate<Row>(sql: string): Generator<Row> {
    const prepared = this.#prepare(sql)
    const found = prepared.statement.iterate() as unknown as IterableIterator<ReadonlyArray<unknown>>
    for (const row of found) yield toRow(prepared, row)
  }

  /** The number of changed rows. */
  run(sql: string, ...values: Array<Value>): number {
    return this.#execute(sql, values, ({ statement }, values) => Number(statement.run(...values).changes))
  }

  /** The rowid of the inserted row. */
  insert(sql: string, ...values: Array<Value>): number {
    return this.#execute(sql, values, ({ statement }, values) => Number(statement.run(...values).lastInsertRowid))
  }

  /** Each value is written beside the name of its column. */
  insertRow(table: string, row: Readonly<Record<string, Value>>): void {
    const names = Object.keys(row)
    this.run(
      `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
      ...Object.values(row)
    )
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
