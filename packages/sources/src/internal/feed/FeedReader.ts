/** Reads feeds in a thread of its own: a feed of many small parts takes time and memory that its size does not tell. */
import { makeReaderThread, type ReaderThread } from "../ReaderThread.ts"
import type { FeedEntry } from "./FeedEntry.ts"

export interface FeedTask {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly contentType: string | null
  readonly url: string
}

/** Null within when it is no feed. */
export type FeedRead = { readonly entries: ReadonlyArray<FeedEntry> | null }

export type FeedReader = ReaderThread<FeedTask, FeedRead>

/** Milliseconds that a feed may take. */
const PATIENCE = 5_000

export const makeFeedReader = (): FeedReader => makeReaderThread(new URL("./readerMain.ts", import.meta.url), PATIENCE)
