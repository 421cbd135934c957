/**
 * One life of the embedded database: a worker thread from its start to its end.
 *
 * A query cannot be stopped. Its caller is answered at the deadline, or leaves when interrupted; the query runs on, and
 * the session is not idle until it ends. What runs far too long ends with its thread, as if the process had been killed:
 * the database recovers from its log, and nothing that was acknowledged is lost.
 */
import { Worker } from "node:worker_threads"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { FromWorker, OpenDatabase, QueryResult, RowShape, ToWorker } from "./SessionMessages.ts"
import { bounded } from "./Turns.ts"
import { disconnected, overdue, refused } from "./sqlErrors.ts"

export interface Patience {
  /** Milliseconds until the caller of a query is told that it takes too long. */
  readonly deadline: number
  /** Milliseconds from then until the thread is ended. */
  readonly lastResort: number
}

export interface Query {
  readonly sql: string
  readonly params: ReadonlyArray<unknown>
  readonly shape: RowShape
  readonly patience: Patience
}

export interface Session {
  readonly major: number
  readonly isOpen: () => boolean
  readonly query: (query: Query) => Effect.Effect<QueryResult, SqlError>
  /** Calls back once no query runs. */
  readonly whenIdle: (then: () => void) => void
  /** Lets what runs come to its end, within reason, and closes the database in order. */
  readonly close: () => Promise<void>
}

export interface SessionEvents {
  readonly onNotification: (channel: string, payload: string) => void
  /** The thread is on its way out. The next life opens the same files: not before this one has let go of them. */
  readonly onEnd: (gone: Promise<void>) => void
}

/** How long a database may take to close in order. What it has not written by then is in its log. */
const closingMilliseconds = 5000

/** Ends transactions and savepoints only, which the end of a session does as well. */
const undoes = (sql: string): boolean => /^(ROLLBACK|RELEASE SAVEPOINT)\b/.test(sql)

/** What a session that has ended, or ends now, answers: it took its transaction along. */
const ended = (sql: string, why: string): Effect.Effect<QueryResult, SqlError> =>
  undoes(sql)
    ? Effect.succeed({ rows: [], command: "ROLLBACK", rowCount: undefined, affectedRows: undefined })
    : Effect.fail(disconnected(why))

// Compiled, this module and the worker's end in .js.
const entry = import.meta.url.endsWith(".ts")
  ? new URL("./sessionWorker.ts", import.meta.url)
  : new URL("./sessionWorker.js", import.meta.url)

/** Megabytes for what is new: the rows of a query, and little else. */
const YOUNG = 24

interface Running {
  readonly sql: string
  answer: (outcome: Effect.Effect<QueryResult, SqlError>) => void
  timer: NodeJS.Timeout
}

/** Rejects with a sentence when the database does not open. */
export const openSession = (database: OpenDatabase, events: SessionEvents): Promise<Session> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(entry, {
      workerData: database,
      name: "pglite",
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG },
      stdout: false,
      stderr: false,
      // Options of a program that came with --eval fit no thread; without any of its own a thread has the process's.
      ...process.execArgv.some((argument) => argument.startsWith("--input-type")) ? { execArgv: [] } : {}
    })
    const exited = new Promise<void>((done) => worker.once("exit", () => done()))
    const running = new Map<number, Running>()
    let waitingForIdle: Array<() => void> = []
    let lastId = 0
    let isOpen = true

    const post = (message: ToWorker) => worker.postMessage(message, [])

    const finish = (id: number, outcome: Effect.Effect<QueryResult, SqlError>) => {
      const query = running.get(id)
      if (query === undefined) return
      running.delete(id)
      clearTimeout(query.timer)
      query.answer(outcome)
      if (running.size > 0) return
      const waiting = waitingForIdle
      waitingForIdle = []
      for (const then of waiting) then()
    }

    const settle = async (why: string) => {
      await exited
      for (const [id, { sql }] of running) finish(id, ended(sql, why))
    }

    const end = (why: string) => {
      if (!isOpen) return
      isOpen = false
      reject(new Error(why))
      void worker.terminate()
      events.onEnd(exited)
      void settle(why)
    }

    const query = ({ sql, params, shape, patience }: Query) =>
      Effect.callback<QueryResult, SqlError>((resume) => {
        if (!isOpen) return resume(ended(sql, "the session has ended"))
        const id = ++lastId
        const onOverdue = () => {
          // An undo waits for what it follows; told that it failed, its caller could not go on.
          if (!undoes(sql)) {
            self.answer(Effect.fail(overdue(patience.deadline)))
            self.answer = () => {}
          }
          self.timer = setTimeout(
            () => end(`a query ran for more than ${patience.deadline + patience.lastResort} ms`),
            bounded(patience.lastResort)
          )
        }
        const self: Running = { sql, answer: resume, timer: setTimeout(onOverdue, bounded(patience.deadline)) }
        running.set(id, self)
        post({ type: "query", id, sql, params, shape })
        return Effect.sync(() => {
          self.answer = () => {}
        })
      })

    const close = async () => {
      if (!isOpen) return exited
      const overdueClose = setTimeout(() => void worker.terminate(), closingMilliseconds)
      post({ type: "close" })
      await exited
      clearTimeout(overdueClose)
    }

    worker.on("message", (message: FromWorker) => {
      switch (message.type) {
        case "ready":
          return resolve({
            major: message.major,
            isOpen: () => isOpen,
            query,
            whenIdle: (then) => running.size === 0 ? then() : void waitingForIdle.push(then),
            close
          })
        case "result":
          return finish(message.id, Effect.succeed(message.result))
        case "failure":
          return finish(message.id, Effect.fail(refused(message.failure)))
        case "notification":
          return events.onNotification(message.channel, message.payload)
        case "unopened":
        case "broken":
          return end(message.message)
      }
    })
    worker.on("error", (error) => end(error instanceof Error ? error.message : String(error)))
    worker.on("messageerror", (error) => end(error.message))
    worker.on("exit", () => end("the thread of the database has ended"))
  })
