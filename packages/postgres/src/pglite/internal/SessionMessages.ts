/** What the database's worker thread and its owner say to each other. Structured clones, so bigint, Date and bytes pass. */

/** What the worker needs to open the database; comes as its `workerData`. */
export interface OpenDatabase {
  /** `null` keeps the database in memory. */
  readonly path: string | null
  readonly fsync: boolean
}

export type RowShape = "object" | "array"

export type ToWorker =
  | {
    readonly type: "query"
    readonly id: number
    readonly sql: string
    readonly params: ReadonlyArray<unknown>
    readonly shape: RowShape
  }
  | { readonly type: "close" }

export interface QueryResult {
  readonly rows: ReadonlyArray<unknown>
  /** The first word of the command tag. A COMMIT that rolled back says ROLLBACK. */
  readonly command: string | undefined
  readonly rowCount: number | undefined
  readonly affectedRows: number | undefined
}

/** What survives of an error on its way between threads. `code` is the SQLSTATE; without one the database never saw the query. */
export interface QueryFailure {
  readonly message: string
  readonly code: string | undefined
  readonly constraint: string | undefined
  readonly detail: string | undefined
}

export type FromWorker =
  | { readonly type: "ready"; readonly major: number }
  | { readonly type: "unopened"; readonly message: string }
  | { readonly type: "result"; readonly id: number; readonly result: QueryResult }
  | { readonly type: "failure"; readonly id: number; readonly failure: QueryFailure }
  /** The database cannot go on, and this thread with it. */
  | { readonly type: "broken"; readonly message: string }
  | { readonly type: "notification"; readonly channel: string; readonly payload: string }
