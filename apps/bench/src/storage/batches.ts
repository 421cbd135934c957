/** Batches of texts with their chunks. */
import type { TextItem } from "@tributary/core/model/Ingest"
import { cutChunks } from "@tributary/retrieval"
import { newTexts } from "./places.ts"

/** Chunks as they are stored, cut before the measurement. */
const chunkRows = (items: ReadonlyArray<TextItem>) =>
  items.flatMap(({ text }, item) => {
    let end = 0
    return cutChunks(text).map((text, ordinal) => ({ item, ordinal, start: (end += text.length) - text.length, text }))
  })

export interface Batch {
  readonly items: ReadonlyArray<TextItem>
  readonly chunks: ReturnType<typeof chunkRows>
}

export const newBatch = (size: number): Batch => {
  const items = newTexts(size)
  return { items, chunks: chunkRows(items) }
}

/** Ids in the order of an index, like ours. */
export const risingUuid = (): string => {
  const millis = Date.now().toString(16).padStart(12, "0")
  return `${millis.slice(0, 8)}-${millis.slice(8)}-7${crypto.randomUUID().slice(15)}`
}
