/** One connection of a `pg` pool, borrowed while a scope is open. */
import { Cause, Effect, Predicate, Queue, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { endsConnection, sqlError } from "./driverErrors.ts"
import { parserFor } from "./driverValues.ts"

interface Query {
  readonly text: string
  readonly values?: Array<unknown>
  readonly types: { readonly getTypeParser: typeof parserFor }
}

interface Result {
  readonly command: string
  readonly rows: ReadonlyArray<Record<string, unknown>>
}

interface Lent {
  query(query: Query): Promise<Result>
  /** With `true` the connection is closed, and the pool opens another one. */
  release(destroy?: boolean): void
  on(event: "error" | "end" | "notification", listener: () => void): unknown
  removeListener(event: "error" | "end" | "notification", listener: () => void): unknown
}

/** The part of `pg.Pool` that is used. */
export interface Pool {
  readonly options?: { readonly max?: number | undefined }
  connect(): Promise<Lent>
}

const ignored = () => undefined

export class PooledConnection {
  #lent: Lent | undefined
  #running = 0
  #isOver = false
  #isLost = false
  #listener: { readonly notified: () => void; readonly lost: () => void } | undefined

  /** The finalizer comes first: a connection that arrives after its caller has left goes back at once. */
  static readonly acquire = (pool: Pool): Effect.Effect<PooledConnection, SqlError.SqlError, Scope.Scope> =>
    Effect.gen(function*() {
      const connection = new PooledConnection()
      yield* Effect.addFinalizer(() => Effect.sync(() => connection.#end()))
      return yield* Effect.tryPromise({
        try: () => pool.connect().then((lent) => connection.#take(lent)),
        catch: sqlError
      })
    })

  #take(lent: Lent): this {
    this.#lent = lent
    // The statement that runs fails as well, and without a listener the process would end.
    lent.on("error", ignored)
    if (this.#isOver) this.#end()
    return this
  }

  #end(): void {
    this.#isOver = true
    if (this.#lent === undefined) return
    this.#lent.removeListener("error", ignored)
    if (this.#listener !== undefined) {
      this.#lent.removeListener("notification", this.#listener.notified)
      this.#lent.removeListener("error", this.#listener.lost)
      this.#lent.removeListener("end", this.#listener.lost)
    }
    // A statement that still runs, and a channel that is listened to, must not pass into other hands.
    this.#lent.release(this.#isLost || this.#running > 0 || this.#listener !== undefined)
    this.#lent = undefined
  }

  query(text: string, values: ReadonlyArray<unknown>): Effect.Effect<Result, SqlError.SqlError> {
    const types = { getTypeParser: parserFor }
    return Effect.tryPromise({
      try: () => {
        this.#running++
        return this.#lent!.query(values.length === 0 ? { text, types } : { text, values: [...values], types })
          .finally(() => this.#running--)
      },
      catch: (rejected) => {
        const error = sqlError(rejected)
        this.#isLost ||= endsConnection(error)
        return error
      }
    })
  }

  /** Whether the server itself answers: a pooler invents a process id, and another process answers. */
  get isDirect(): Effect.Effect<boolean, SqlError.SqlError> {
    const named = Predicate.hasProperty(this.#lent, "processID") ? this.#lent.processID : undefined
    return Effect.map(this.query("SELECT pg_backend_pid() AS pid", []), ({ rows }) => rows[0]?.["pid"] === named)
  }

  /** From now on, the connection calls `heard` for notifications, and when it is lost. */
  onNotification(heard: Queue.Queue<unknown, SqlError.SqlError>): void {
    const notified = () => void Queue.offerUnsafe(heard, undefined)
    const lost = () => void Queue.failCauseUnsafe(heard, Cause.fail(sqlError(new Error("the connection was lost"))))
    this.#listener = { notified, lost }
    this.#lent!.on("notification", notified)
    this.#lent!.on("error", lost)
    this.#lent!.on("end", lost)
  }
}
