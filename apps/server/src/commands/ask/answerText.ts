/** An answer as a terminal shows it. */
import type { Answer, Citation } from "@tributary/client"
import { EXTRACTIVE } from "@tributary/core/model/AskHistory"
import { onOneLine, plain } from "../../cli/printing.ts"

/** A hyperlink in terminals that support it; an invalid URL is left out. */
const linked = (text: string, url: string | null, isTerminal: boolean): string => {
  const address = url === null ? null : URL.parse(url)
  return isTerminal && address !== null && /^https?:$/.test(address.protocol)
    ? `\u001b]8;;${address.href}\u001b\\${text}\u001b]8;;\u001b\\`
    : text
}

/** Code points of a quote; the rest is in the document. */
const MAX_QUOTE = 600

const shortened = (quote: string): string => {
  const points = [...quote]
  return points.length <= MAX_QUOTE ? quote : `${points.slice(0, MAX_QUOTE).join("")}…`
}

const sourceText = ({ entity }: Citation, isTerminal: boolean): string => {
  const { external_id, marker, source, title, url } = entity
  const name = linked(onOneLine(title ?? external_id), url, isTerminal)
  return `${marker === null ? "-" : `[${marker}]`} ${name}  (${source}, ${onOneLine(external_id)})`
}

const citationText = (citation: Citation, isTerminal: boolean): string =>
  `${sourceText(citation, isTerminal)}\n    "${shortened(onOneLine(citation.entity.quote))}"`

/** Everything below the answer: its sources, or the closest passages, and warnings. */
export const belowAnswer = (
  { citations, model, related = [], response, warnings = [] }: Answer,
  isTerminal: boolean
): string =>
  [
    ...citations.map((citation) =>
      // An answer of quotes alone says them already.
      response.includes(citation.entity.quote) ? sourceText(citation, isTerminal) : citationText(citation, isTerminal)
    ),
    ...related.length === 0 ? [] : ["What came closest:", ...related.map((one) => citationText(one, isTerminal))],
    ...warnings.map(onOneLine),
    ...model === EXTRACTIVE ? [] : [`Answered by ${onOneLine(model)}.`]
  ].join("\n\n")

export const answerText = (answer: Answer, isTerminal: boolean): string =>
  [plain(answer.response), belowAnswer(answer, isTerminal)].filter((part) => part !== "").join("\n\n")
