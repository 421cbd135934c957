/** A passage as the engine reads it. */
import type { Evidence } from "../ports/Answerer.ts"
import { dateWords, fileName } from "../context/indexDocument.ts"

/** What people call the documents of a kind, where that is not its name. */
const CALLED: Readonly<Record<string, string>> = {
  calendar: "event meeting appointment",
  email: "mail",
  issue: "ticket"
}

export const textOf = ({ above, context, document, isRest, score, start, text }: Evidence) => ({
  document: document.document_id,
  at: start,
  isRest,
  title: document.title ?? "",
  file: fileName(document),
  kind: `${document.kind} ${CALLED[document.kind] ?? ""}`,
  day: dateWords(document),
  context,
  above,
  text,
  timestamp: document.timestamp,
  score
})
