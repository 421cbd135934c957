/** The thread that parses feeds. */
import { port } from "../readerPort.ts"
import type { FeedRead, FeedTask } from "./FeedReader.ts"
import { bodyText } from "../network/bodyText.ts"
import { readFeed, UnfinishedFeed } from "./readFeed.ts"

const read = ({ bytes, contentType, url }: FeedTask): FeedRead => {
  try {
    return { entries: readFeed(bodyText(bytes, contentType), url) }
  } catch (error) {
    if (error instanceof UnfinishedFeed) return { unfinished: true }
    throw error
  }
}

port.on("message", (task: FeedTask) => port.postMessage(read(task), []))
