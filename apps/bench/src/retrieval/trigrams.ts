/** A deterministic embedding model without training: texts that share trigrams have similar vectors. */
import type { EmbeddingModel } from "@tributary/core/ports/Embedder"
import { Effect } from "effect"

const DIMENSIONS = 512

/** FNV-1a. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

const vectorOf = (text: string): ReadonlyArray<number> => {
  const counts = new Map<string, number>()
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    const padded = ` ${word} `
    for (let at = 0; at + 3 <= padded.length; at++) {
      const trigram = padded.slice(at, at + 3)
      counts.set(trigram, (counts.get(trigram) ?? 0) + 1)
    }
  }
  const vector = Array.from({ length: DIMENSIONS }, () => 0)
  // A vector must not have length zero.
  if (counts.size === 0) vector[0] = 1
  for (const [trigram, count] of counts) {
    const hash = hashOf(trigram)
    vector[hash % DIMENSIONS]! += (hash & 0x80000000) === 0 ? Math.sqrt(count) : -Math.sqrt(count)
  }
  return vector
}

export const TRIGRAMS: EmbeddingModel = {
  model: "trigrams",
  dimensions: DIMENSIONS,
  batch: 1_000,
  embed: (texts) => Effect.sync(() => texts.map(vectorOf))
}
