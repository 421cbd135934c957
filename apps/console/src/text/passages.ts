/** The passages of a text, split as the service splits them for search and quotes. */
import { cutChunks } from "@tributary/retrieval"
import type { Block } from "./blocks.ts"

export const passagesOf = (text: string): ReadonlyArray<Block> => {
  let start = 0
  return cutChunks(text).map((text) => {
    const passage = { start, text, opening: "" }
    start += text.length
    return passage
  })
}
