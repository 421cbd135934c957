/** The port of a reader thread, by which it gets tasks and answers them. */
import { parentPort } from "node:worker_threads"

if (parentPort === null) throw new Error("this module is for a worker thread")

export const port = parentPort
