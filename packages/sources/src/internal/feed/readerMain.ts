/** The thread that parses feeds. */
import { port } from "../readerPort.ts"
import type { FeedRead, FeedTask } from "./FeedReader.ts"
import { bodyText } from "../network/bodyText.ts"
import { namedFeed } from "./namedFeed.ts"
import { readFeed, UnfinishedFeed } from "./readFeed.ts"

const read = ({ bytes, contentType, url }: FeedTask): FeedRead => {
  try {
    const text = bodyText(bytes, contentType)
    const entries = readFeed(text, url)
    return entries === null ? { named: namedFeed(text, url) } : { entries }
  } catch (error) {
    if (error instanceof UnfinishedFeed) return { unfinished: true }
    throw error
  }
}

port.on("message", (task: FeedTask) => port.postMessage(read(task), []))
