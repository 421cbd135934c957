/** The texts of a segment's chunks, as models read them. */
import { Effect } from "effect"
import type { Part } from "../../context/View.ts"
import { sha256Hex } from "../../internal/sha256.ts"
import { DocumentId, type WorkspaceId } from "../../model/Id.ts"
import { DocumentStore, type PassageRef } from "../../ports/DocumentStore.ts"
import { keyOf, titledText } from "../readPassages.ts"

/** How many texts are read at a time. */
const BATCH = 500

/** A text is truncated after this many UTF-16 code units: models read no further. */
const MAX_LENGTH = 8_000

/** Half of a SHA-256, without collisions in practice. */
const HASH_DIGITS = 32

export interface ChunkText {
  readonly chunk: number
  readonly text: string
  readonly hash: string
}

interface Chunk {
  readonly chunk: number
  readonly ref: PassageRef
}

/** Those that are not masked. */
export const chunksOf = ({ mask, segment }: Part): ReadonlyArray<Chunk> =>
  [...segment.documents()].flatMap(({ id, number, version }) => {
    if (mask.hides(number)) return []
    const first = segment.firstChunks[number]!
    return Array.from({ length: segment.firstChunks[number + 1]! - first }, (_, ordinal) => ({
      chunk: first + ordinal,
      ref: { document_id: DocumentId.make(id), change_seq: version, ordinal }
    }))
  })

/** Without empty texts, and without those of documents that have changed. */
export const readTexts = Effect.fnUntraced(function*(workspaceId: WorkspaceId, chunks: ReadonlyArray<Chunk>) {
  const documents = yield* DocumentStore
  const texts: Array<ChunkText> = []
  for (let at = 0; at < chunks.length; at += BATCH) {
    const batch = chunks.slice(at, at + BATCH)
    const passages = yield* documents.passages(workspaceId, batch.map(({ ref }) => ref), false)
    const byKey = new Map(batch.map(({ chunk, ref }) => [keyOf(ref), chunk]))
    for (const passage of passages) {
      const chunk = byKey.get(keyOf(passage))
      const text = titledText(passage).slice(0, MAX_LENGTH).trim()
      if (chunk === undefined || text === "") continue
      texts.push({ chunk, text, hash: (yield* sha256Hex(text)).slice(0, HASH_DIGITS) })
    }
  }
  return texts
})
