/** Messages between the calling thread and a database thread. */
import type { SqliteConnection } from "./SqliteConnection.ts"

export type Operations = Readonly<Record<string, (db: SqliteConnection, ...args: never) => unknown>>

export type Arguments<Operation> = Operation extends (db: SqliteConnection, ...args: infer Args) => unknown ? Args
  : never

export interface Task {
  readonly id: number
  readonly name: string
  readonly args: ReadonlyArray<unknown>
}

export type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: { readonly message: string; readonly errcode: number | undefined } }

/** The last message to a thread. It is answered when the database is closed. */
export interface Close {
  readonly id: number
  readonly closes: true
}

export type Message = Task | Close

export const perform = (operations: Operations, db: SqliteConnection, { args, id, name }: Task): Reply => {
  const operation = operations[name] as (db: SqliteConnection, ...args: ReadonlyArray<unknown>) => unknown
  try {
    return { id, value: operation(db, ...args) }
  } finally {
    // These bytes were moved here. The garbage collector, which hardly runs in such a thread, would keep many of them.
    for (const arg of args) if (arg instanceof Uint8Array) (arg.buffer as ArrayBuffer).transfer(0)
  }
}

export const failureOf = ({ id }: Task, error: unknown): Reply => {
  const { errcode, message } = error as { readonly errcode?: number; readonly message: string }
  return { id, error: { errcode, message } }
}
