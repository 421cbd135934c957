/** The thread that parses feeds. */
import { port } from "../readerPort.ts"
import type { FeedRead, FeedTask } from "./FeedReader.ts"
import { feedText } from "./feedText.ts"
import { readFeed } from "./readFeed.ts"

const send = (read: FeedRead) => port.postMessage(read, [])

port.on(
  "message",
  ({ bytes, contentType, url }: FeedTask) => send({ entries: readFeed(feedText(bytes, contentType), url) })
)
