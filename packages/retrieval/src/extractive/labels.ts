/** Lines that tell something of the text they stand before, `Author: Ada`: what their labels say, and to which questions. */
import type { Questioned } from "./questioned.ts"
import type { QuestionKind } from "./questionKind.ts"
import { termOf } from "../text/words.ts"

/** One to three words before a colon. */
const LABEL = /^(\p{Lu}\p{L}{0,60}(?: \p{L}{1,60}){0,2}): /u

/** `State: open`: a line that comes before a text, and not what it says; or what somebody says, `Ada: Hello`. */
export const isLabelled = (sentence: string): boolean => LABEL.test(sentence)

interface Label {
  /** As it is written, and what it says besides. */
  readonly says: string
  /** What it tells, null when only its own words say so. */
  readonly tells: "who" | "sender" | "recipient" | "when" | "where" | null
}

const WRITES = "write author make create draft compose prepare draw up report file open raise"
const TAKES_PLACE = "take place happen hold meet"

/** What stands behind a label answers a question for that, asked with one of these words. */
const KNOWN: ReadonlyArray<readonly [labels: string, tells: Label["tells"], says: string]> = [
  ["author authors creator by", "who", WRITES],
  ["from sender", "sender", "send mail write"],
  ["to cc recipient recipients", "recipient", "send mail write"],
  ["organizer organiser host", "who", "organize host run lead invite"],
  ["attendees participants present", "who", "attend participate come join take part present"],
  ["assignee responsible owner", "who", "assign work own handle responsible"],
  ["date day when time start begin", "when", `${TAKES_PLACE} start begin date`],
  ["end until", "when", "end finish stop"],
  ["location place venue room where", "where", `${TAKES_PLACE} location room`]
]

const BY_LABEL = new Map(
  KNOWN.flatMap(([labels, tells, says]) => labels.split(" ").map((label) => [label, { tells, says }] as const))
)

/** `Reader` says who reads. */
const AGENT = /(?:er|or)s?$/u

/** Null for what has no label. */
export const labelOf = (sentence: string): Label | null => {
  const [, label] = LABEL.exec(sentence) ?? []
  if (label === undefined) return null
  const known = BY_LABEL.get(label.toLowerCase())
  const done = label.replace(AGENT, "")
  return { tells: known?.tells ?? null, says: [label, done, `${done}e`, known?.says ?? ""].join(" ") }
}

const TO_WHOM = /\bto\s+whom\b|\bwhom?\b.*\bto\W*$/iu

/** Who wrote about it has sent the letter; who wrote it need not be who sends it. */
const WROTE_IT = /\b(?:write|writes|wrote|written)\b(?!\s+(?:about|to)\b)/iu

const WHO_IS = /\bwho(?:['\u2019]s|\s+(?:is|are|was|were))\s/iu

/** What labels say: an answer that a label tells holds each of these words that the question has. */
const SAID: ReadonlySet<string> = new Set(KNOWN.flatMap(([, , says]) => says.split(" ")).map(termOf))

const isOfKind = ({ tells }: Label, kind: QuestionKind, asked: string, saysAsked: boolean): boolean => {
  if (kind !== "who") return tells === kind
  if (TO_WHOM.test(asked)) return tells === "recipient"
  if (tells === "sender") return saysAsked && !WROTE_IT.test(asked)
  return tells === "who" && (saysAsked || WHO_IS.test(asked))
}

/** Whether it tells what was asked for of what its title names; `near` are the question's terms that stand around it. */
export const tells = (
  { context: { asked }, evidence, kind }: Questioned,
  label: Label,
  near: ReadonlySet<string>
): boolean | null => {
  if (kind === "yes_no") return null
  const saysAsked = evidence.termsIn(label.says).size > 0
  if (label.tells === null) return saysAsked ? true : null
  const isSaid = (term: string) => [...evidence.formsOf(term)].some((form) => SAID.has(form))
  const isMissing = (term: string) => !near.has(term) && (evidence.telling.has(term) || isSaid(term))
  return isOfKind(label, kind, asked, saysAsked) && ![...evidence.terms].some(isMissing)
}
