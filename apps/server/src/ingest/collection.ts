/** Collections: files with a document on every line, as a JSON object. */
import { MAX_EXTERNAL_ID, MAX_TITLE, type TextItem } from "@tributary/core/model/Ingest"
import { isStorable, Metadata } from "@tributary/core/model/Text"
import { dateTimeFault, toDate } from "@tributary/core/model/Timestamp"
import { WebUrl } from "@tributary/core/model/WebUrl"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { sentence } from "../command/UsageError.ts"
import type { File } from "./Files.ts"
import { linesOf } from "./lines.ts"
import { type ReadProgress, UNSTORABLE } from "./ReadProgress.ts"

const isWebUrl = Schema.is(WebUrl)
const isMetadata = Schema.is(Metadata)

/** Without an offset in UTC; a date without a time is its start. */
const timestampOf = (date: unknown): Date | null => {
  if (typeof date !== "string") return null
  const isWithoutOffset = dateTimeFault(date)?.type === "timezone_aware"
  const moment = isWithoutOffset ? `${date}${date.length === 10 ? "T00:00" : ""}Z` : date
  return dateTimeFault(moment) === undefined ? toDate(moment) : null
}

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** An item, or why a line is invalid. Null fields count as absent, and unknown ones are ignored. */
const itemOf = (line: string): TextItem | string => {
  const read = parsed(line)
  if (read === undefined) return "it is no JSON"
  if (!Predicate.isReadonlyObject(read)) return "it is no JSON object"
  const field = (name: string): unknown => Object.hasOwn(read, name) ? read[name] ?? undefined : undefined
  const id = field("id")
  if (Number.isInteger(id) && !Number.isSafeInteger(id)) return "\"id\" is a number that would lose digits"
  const external_id = typeof id === "number" ? String(id) : id
  if (typeof external_id !== "string" || external_id === "" || external_id.length > MAX_EXTERNAL_ID) {
    return `"id" must be a text of 1 to ${MAX_EXTERNAL_ID} characters`
  }
  const text = field("text")
  if (typeof text !== "string") return "\"text\" must be a text"
  const title = field("title")
  if (title !== undefined && typeof title !== "string") return "\"title\" must be a text"
  if (![external_id, text, title ?? ""].every(isStorable)) return UNSTORABLE
  const url = field("url")
  if (url !== undefined && !isWebUrl(url)) return "\"url\" must be an address such as https://example.com/page"
  const date = field("date")
  const timestamp = timestampOf(date)
  if (date !== undefined && timestamp === null) return "\"date\" must be a date such as 2026-01-31"
  const metadata = field("metadata")
  if (metadata !== undefined && !isMetadata(metadata)) {
    return "\"metadata\" must be an object of at most 50 texts of up to 2,000 characters"
  }
  return {
    external_id,
    text,
    ...(title ? { title: title.slice(0, MAX_TITLE).toWellFormed() } : {}),
    ...(url === undefined ? {} : { url }),
    ...(timestamp === null ? {} : { timestamp }),
    ...(metadata === undefined ? {} : { metadata })
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
      if ("problem" in line) leaveOut(line.problem)
      else if (line.text.trim() !== "") {
        const item = itemOf(line.text)
        if (typeof item === "string") leaveOut(item)
        else yield item
      }
    }
  } catch (error) {
    const reason = sentence(error)
    leaveOut(number === 0 ? `it cannot be read (${reason})` : `nothing after it can be read (${reason})`)
  }
}
