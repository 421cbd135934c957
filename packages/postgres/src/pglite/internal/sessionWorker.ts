/** The thread that the embedded database lives in: a query keeps a thread busy, and here it is not the one that serves. */
import "./byteOrderMarks.ts"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { parentPort, workerData } from "node:worker_threads"
import { PGlite } from "@electric-sql/pglite"
import { durability, DurableFiles } from "./DurableFiles.ts"
import { readPrepared, unpack } from "./preparedDatabase.ts"
import { rowTypes } from "./rowTypes.ts"
import type { FromWorker, OpenDatabase, QueryFailure, ToWorker } from "./SessionMessages.ts"
import { syncTree } from "./syncFiles.ts"

const port = parentPort
if (port === null) throw new Error("this module is the entry of a worker thread")
const send = (message: FromWorker) => port.postMessage(message, [])

const { path, fsync } = workerData as OpenDatabase

const isNew = path === null || !existsSync(join(path, "PG_VERSION"))

const open = async (): Promise<PGlite> => {
  const prepared = isNew ? await readPrepared() : undefined
  if (path !== null && prepared !== undefined) unpack(prepared, path)
  const database = await PGlite.create({
    ...path !== null
      ? { fs: new DurableFiles(path) }
      : prepared === undefined
      ? {}
      : { loadDataDir: new Blob([prepared]) },
    startParams: durability(PGlite.defaultStartParams, fsync && path !== null),
    parsers: rowTypes
  })
  if (path !== null && isNew && fsync) {
    // A new database is laid out or unpacked beside the file system, which is asked for nothing.
    await database.exec("CHECKPOINT")
    await syncTree(path)
  }
  return database
}

const text = (value: unknown): string | undefined => typeof value === "string" ? value : undefined

const describe = (error: unknown): QueryFailure => {
  const fields: Partial<Record<keyof QueryFailure, unknown>> = typeof error === "object" && error !== null ? error : {}
  return {
    message: text(fields.message) ?? String(error),
    code: text(fields.code),
    constraint: text(fields.constraint),
    detail: text(fields.detail)
  }
}

/** An error of the program that runs the database, or one by which the database says that it ends. */
const isBroken = (error: unknown): boolean =>
  error instanceof WebAssembly.RuntimeError ||
  typeof error === "object" && error !== null && (
      "severity" in error && (error.severity === "FATAL" || error.severity === "PANIC") ||
      "name" in error && (error.name === "ExitStatus" || error.name === "ErrnoError")
    )

const answer = async (database: PGlite, message: Extract<ToWorker, { type: "query" }>): Promise<void> => {
  const { id, sql, params, shape } = message
  try {
    const { rows, command, rowCount, affectedRows } = await database.query(sql, [...params], { rowMode: shape })
    send({ type: "result", id, result: { rows, command, rowCount, affectedRows } })
  } catch (error) {
    const isOver = database.closed || isBroken(error)
    send(isOver ? { type: "broken", message: String(error) } : { type: "failure", id, failure: describe(error) })
  }
}

try {
  const database = await open()
  database.onNotification((channel, payload) => send({ type: "notification", channel, payload }))
  // One after another: a ROLLBACK that follows an abandoned query must not overtake it.
  let last: Promise<void> = Promise.resolve()
  port.on("message", (message: ToWorker) => {
    last = last.then(() => {
      if (message.type === "query") return answer(database, message)
      return database.close().finally(() => port.close())
    })
  })
  const version = await database.query<{ number: string }>("SELECT current_setting('server_version_num') AS number")
  send({ type: "ready", major: Math.floor(Number(version.rows[0]?.number) / 10_000) })
} catch (error) {
  const advice = isNew ? "" : ". Its files may be damaged: put a copy in their place, or import an export elsewhere"
  send({ type: "unopened", message: `${describe(error).message.replace(/\.$/, "")}${advice}` })
}
