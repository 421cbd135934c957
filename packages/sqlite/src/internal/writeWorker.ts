/** Entry of the thread that writes: the only connection that changes the database. */
import { parentPort, workerData } from "node:worker_threads"
import { collectWhenIdle } from "@tributary/node/collectWhenIdle"
import { commitGroup } from "./groupCommit.ts"
import type { Close, Message, Reply, Task } from "./messages.ts"
import { type ConnectionOptions, SqliteConnection } from "./SqliteConnection.ts"
import { startMaintenance } from "./maintenance.ts"

const port = parentPort!
const db = new SqliteConnection(workerData as ConnectionOptions)
const maintenance = startMaintenance(db)
collectWhenIdle()
const queue: Array<Task> = []
let last: Close | undefined
let isScheduled = false

const close = ({ id }: Close): void => {
  maintenance.stop()
  db.close()
  const closed: Reply = { id, value: undefined }
  port.postMessage([closed])
}

const drain = (): void => {
  isScheduled = false
  if (queue.length > 0) {
    port.postMessage(commitGroup(db, queue))
    maintenance.committed()
  }
  // Messages that arrived meanwhile are received first and join the next group.
  if (queue.length > 0) schedule()
  else if (last !== undefined) close(last)
}

const schedule = (): void => {
  if (isScheduled) return
  isScheduled = true
  setImmediate(drain)
}

port.on("message", (message: Message) => {
  if ("closes" in message) last = message
  else queue.push(message)
  schedule()
})
