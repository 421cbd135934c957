/** Collections: files with a document on every line, as a JSON object. */
import { MAX_EXTERNAL_ID, MAX_TITLE, type TextItem } from "@tributary/core/model/Ingest"
import { parseJson } from "@tributary/core/model/parseJson"
import { isStorable, Metadata } from "@tributary/core/model/Text"
import { WebUrl } from "@tributary/core/model/WebUrl"
import { readProblem } from "@tributary/node/fileProblem"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { writtenTime } from "../optionValues.ts"
import type { File } from "./Files.ts"
import { linesOf } from "./lines.ts"
import { type ReadProgress, UNSTORABLE } from "./ReadProgress.ts"

const isWebUrl = Schema.is(WebUrl)
const isMetadata = Schema.is(Metadata)

const NO_DATE = "\"date\" must be a date such as 2026-01-31"

/** Why a line is no item. */
class InvalidLine {
  readonly problem: string

  constructor(problem: string) {
    this.problem = problem
  }
}

const refuse = (problem: string): never => {
  throw new InvalidLine(problem)
}

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (line: string): Fields => {
  let read: unknown
  try {
    read = parseJson(line)
  } catch {
    return refuse("it is no JSON")
  }
  return Predicate.isReadonlyObject(read) ? read : refuse("it is no JSON object")
}

const idOf = ({ id }: Fields): string => {
  if (Number.isInteger(id) && !Number.isSafeInteger(id)) return refuse("\"id\" is a number that would lose digits")
  const text = typeof id === "number" ? String(id) : id
  const isValid = typeof text === "string" && text !== "" && text.length <= MAX_EXTERNAL_ID
  return isValid ? text : refuse(`"id" must be a text of 1 to ${MAX_EXTERNAL_ID} characters`)
}

const textOf = ({ text }: Fields): string => typeof text === "string" ? text : refuse("\"text\" must be a text")

/** Undefined if the field is absent or null. */
const optional = <A>(field: unknown, is: (value: unknown) => value is A, problem: string): A | undefined =>
  field === undefined || field === null ? undefined : is(field) ? field : refuse(problem)

/** Throws `InvalidLine`. Unknown fields are ignored. */
const itemOf = (line: string): TextItem => {
  const fields = fieldsOf(line)
  const external_id = idOf(fields)
  const text = textOf(fields)
  const title = optional(fields["title"], Predicate.isString, "\"title\" must be a text")
  if (![external_id, text, title ?? ""].every(isStorable)) refuse(UNSTORABLE)
  const url = optional(fields["url"], isWebUrl, "\"url\" must be an address such as https://example.com/page")
  const date = optional(fields["date"], Predicate.isString, NO_DATE)
  const timestamp = date === undefined ? undefined : writtenTime(date) ?? refuse(NO_DATE)
  const metadata = optional(
    fields["metadata"],
    isMetadata,
    "\"metadata\" must be an object of at most 50 texts of up to 2,000 characters"
  )
  return {
    external_id,
    text,
    ...(title ? { title: title.slice(0, MAX_TITLE).toWellFormed() } : {}),
    ...(url === undefined ? {} : { url }),
    ...(timestamp === undefined ? {} : { timestamp }),
    ...(metadata === undefined ? {} : { metadata })
  }
}

/** The item, or why the line has no valid one. */
const readItem = (line: string): TextItem | string => {
  try {
    return itemOf(line)
  } catch (error) {
    if (error instanceof InvalidLine) return error.problem
    throw error
  }
}

/** The items of a collection. Invalid lines are noted with their number; a read error ends it. */
export const fromCollection = async function*(file: File, reading: ReadProgress): AsyncGenerator<TextItem> {
  const before = reading.bytesRead
  let number = 0
  const leaveOut = (problem: string): void =>
    void reading.problems.push({ path: number === 0 ? file.path : `${file.path}:${number}`, problem })
  try {
    const lines = linesOf(file.path, (bytes) => {
      reading.bytesRead = before + bytes
    })
    for await (const line of lines) {
      number++
      if ("text" in line && line.text.trim() === "") continue
      const item = "text" in line ? readItem(line.text) : line.problem
      if (typeof item === "string") leaveOut(item)
      else yield item
    }
  } catch (error) {
    const reason = readProblem(error)
    leaveOut(number === 0 ? `it cannot be read: ${reason}` : `nothing after it can be read: ${reason}`)
  }
}
