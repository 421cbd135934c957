/** Positions of the words of a search in a text. */
import type { Stretches } from "./Markdown.tsx"

/** More matches than anyone steps through. */
const MAX_MATCHES = 1_000

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** Matches beginnings of words, so that "deploy" also finds "deploys". */
export const occurrencesOf = (text: string, words: string): Stretches => {
  const wanted = [...new Set(words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].filter((word) => word.length > 1)
  if (wanted.length === 0) return []
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${wanted.map(escaped).join("|")})[\\p{L}\\p{N}]{0,3}`, "giu")
  const found: Array<readonly [number, number]> = []
  for (const match of text.matchAll(pattern)) {
    found.push([match.index, match.index + match[0].length])
    if (found.length === MAX_MATCHES) break
  }
  return found
}
