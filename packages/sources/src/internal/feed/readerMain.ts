/** The thread that parses feeds. */
import { port } from "../readerPort.ts"
import type { FeedRead, FeedTask } from "./FeedReader.ts"
import { feedText } from "./feedText.ts"
import { readFeed, UnfinishedFeed } from "./readFeed.ts"

const read = ({ bytes, contentType, url }: FeedTask): FeedRead => {
  try {
    return { entries: readFeed(feedText(bytes, contentType), url) }
  } catch (error) {
    if (error instanceof UnfinishedFeed) return { unfinished: true }
    throw error
  }
}

port.on("message", (task: FeedTask) => port.postMessage(read(task), []))
