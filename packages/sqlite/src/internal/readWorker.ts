/** Entry of the thread for reads that would hold the calling thread too long. */
import { parentPort, workerData } from "node:worker_threads"
import { longReads } from "../reads/index.ts"
import { failureOf, type Message, perform, type Reply, type Task } from "./messages.ts"
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

port.on("message", (message: Message) => {
  if (!("closes" in message)) return port.postMessage([answer(message)])
  db.close()
  port.close()
})
