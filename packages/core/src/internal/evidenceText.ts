/** A passage as the engine reads it. */
import type { Evidence } from "../ports/Answerer.ts"

export const textOf = ({ context, document: { timestamp, title }, score, text }: Evidence) => ({
  title: title ?? "",
  context,
  text,
  timestamp,
  score
})
