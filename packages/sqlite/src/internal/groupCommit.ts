/**
 * Group commit: the tasks that are waiting when a transaction begins share it, so that a hundred small writes wait for
 * the disk once. Each runs in a savepoint: one that fails undoes its own changes and no others.
 */
import { deferrable, writes } from "../writes/index.ts"
import { failureOf, perform, type Reply, type Task } from "./messages.ts"
import type { SqliteConnection } from "./SqliteConnection.ts"

const MAX_TASKS = 64
const MAX_MILLIS = 20

const inSavepoint = (db: SqliteConnection, task: Task): Reply => {
  db.exec("SAVEPOINT task")
  try {
    const reply = perform(writes, db, task)
    db.exec("RELEASE task")
    return reply
  } catch (error) {
    // A failure of the disk ends the whole transaction, and then this throws, too.
    db.exec("ROLLBACK TO task; RELEASE task")
    return failureOf(task, error)
  }
}

/** Takes tasks off the front of `queue` and performs them in one transaction. */
export const commitGroup = (db: SqliteConnection, queue: Array<Task>): ReadonlyArray<Reply> => {
  const deadline = performance.now() + MAX_MILLIS
  const taken: Array<Task> = []
  const take = (): Task => {
    const task = queue.shift()!
    taken.push(task)
    return task
  }
  try {
    db.setDurable(queue.slice(0, MAX_TASKS).some(({ name }) => !deferrable.has(name)))
    return db.transaction("BEGIN IMMEDIATE", () => {
      if (queue.length === 1) return [perform(writes, db, take())]
      const replies: Array<Reply> = []
      while (queue.length > 0 && taken.length < MAX_TASKS && performance.now() < deadline) {
        replies.push(inSavepoint(db, take()))
      }
      return replies
    })
  } catch (error) {
    if (taken.length === 0) take()
    return taken.map((task) => failureOf(task, error))
  }
}
