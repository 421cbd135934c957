/** The thread that parses feeds. */
import { parentPort } from "node:worker_threads"
import type { FeedRead, FeedTask } from "./FeedReader.ts"
import { feedText } from "./feedText.ts"
import { readFeed } from "./readFeed.ts"

if (parentPort === null) throw new Error("this module is the entry of a worker thread")
const port = parentPort
const send = (read: FeedRead) => port.postMessage(read, [])

port.on(
  "message",
  ({ bytes, contentType, url }: FeedTask) => send({ entries: readFeed(feedText(bytes, contentType), url) })
)
