/** Entry of the thread for reads that would hold the calling thread too long. */
import { parentPort, workerData } from "node:worker_threads"
import { longReads } from "../reads/index.ts"
import { type Close, failureOf, type Message, perform, type Reply, type Task } from "./messages.ts"
import { type ConnectionOptions, SqliteConnection } from "./SqliteConnection.ts"

const port = parentPort!
const db = new SqliteConnection(workerData as ConnectionOptions)

const answer = (task: Task): Reply => {
  try {
    return perform(longReads, db, task)
  } catch (error) {
    return failureOf(task, error)
  }
}

const close = ({ id }: Close): Reply => {
  db.close()
  return { id, value: undefined }
}

port.on("message", (message: Message) => {
  port.postMessage(["closes" in message ? close(message) : answer(message)])
})
