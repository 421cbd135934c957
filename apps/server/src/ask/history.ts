/** The conversation for a language model: the last turns, up to the service's limit. */
import type { Answer } from "@tributary/client"

export interface Turn {
  readonly role: "user" | "assistant"
  readonly text: string
}

const MOST_TURNS = 10
const MOST_CHARACTERS = 8_000

const lengthOf = (turns: ReadonlyArray<Turn>): number =>
  turns.reduce((length, { text }) => length + Array.from(text).length, 0)

/** Not needed without a language model. */
export const grown = (turns: ReadonlyArray<Turn>, query: string, { model, response }: Answer): ReadonlyArray<Turn> => {
  if (model === "extractive") return []
  let kept: ReadonlyArray<Turn> = [
    ...turns,
    { role: "user" as const, text: query },
    { role: "assistant" as const, text: response }
  ].slice(-MOST_TURNS)
  while (lengthOf(kept) > MOST_CHARACTERS) kept = kept.slice(2)
  return kept
}
