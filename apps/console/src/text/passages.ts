/** The passages that a text is found and quoted by, cut as the service cuts them. */
import { cutChunks } from "@tributary/retrieval"
import type { Block } from "./blocks.ts"

export const passagesOf = (text: string): ReadonlyArray<Block> => {
  let start = 0
  return cutChunks(text).map((text) => {
    const passage = { start, text }
    start += text.length
    return passage
  })
}
