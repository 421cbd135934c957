/** What files become: a document each, or one for every line of a collection. */
import type { JsonItem, TextItem } from "@tributary/core/model/Ingest"
import { isStorable } from "@tributary/core/model/Text"
import { createReadStream } from "node:fs"
import { readFile } from "node:fs/promises"
import { basename } from "node:path"
import { createInterface } from "node:readline"
import { type File, formatOf, type Problem } from "./Files.ts"

/** What a collection's line may say. */
interface Line {
  readonly id?: unknown
  readonly title?: unknown
  readonly text?: unknown
  readonly date?: unknown
}

/** Notes what is left out, and how far the reading is. */
export interface Reading {
  readonly problems: Array<Problem>
  bytesRead: number
}

const MAXIMUM_ID = 512
const MAXIMUM_TITLE = 2_000
const MAXIMUM_BYTES = 32 * 1024 * 1024

const UNSTORABLE = "it holds a NUL character or half a surrogate pair, which no document may"

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A day alone means its beginning in UTC. */
const timestampOf = (date: unknown): Date | null => {
  if (typeof date !== "string" || !/^\d{4}-\d{2}-\d{2}/.test(date)) return null
  const moment = new Date(date)
  return Number.isNaN(moment.getTime()) ? null : moment
}

/** An item, or why a line is none. */
const itemOf = (line: string): TextItem | string => {
  let read: unknown
  try {
    read = JSON.parse(line)
  } catch {
    return "it is no JSON"
  }
  if (!isRecord(read)) return "it is no JSON object"
  const { date, id, text, title }: Line = read
  const external_id = typeof id === "number" ? String(id) : id
  if (typeof external_id !== "string" || external_id === "" || external_id.length > MAXIMUM_ID) {
    return `"id" must be a text of 1 to ${MAXIMUM_ID} characters`
  }
  if (typeof text !== "string") return "\"text\" must be a text"
  if (title !== undefined && title !== null && typeof title !== "string") return "\"title\" must be a text"
  const timestamp = date === undefined || date === null ? null : timestampOf(date)
  if (timestamp === null && date !== undefined && date !== null) return "\"date\" must be a date such as 2026-01-31"
  if (![external_id, text, title ?? ""].every(isStorable)) return UNSTORABLE
  return {
    external_id,
    text,
    ...(title ? { title: title.slice(0, MAXIMUM_TITLE).toWellFormed() } : {}),
    ...(timestamp === null ? {} : { timestamp })
  }
}

const fromCollection = async function*(file: File, reading: Reading): AsyncGenerator<TextItem> {
  const stream = createReadStream(file.path)
  const before = reading.bytesRead
  let number = 0
  for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
    number++
    reading.bytesRead = before + stream.bytesRead
    if (line.trim() === "") continue
    const item = itemOf(line)
    if (typeof item === "string") reading.problems.push({ path: `${file.path}:${number}`, problem: item })
    else yield item
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true })

const contentOf = async (file: File, reading: Reading): Promise<string | null> => {
  const refuse = (problem: string) => {
    reading.problems.push({ path: file.path, problem })
    return null
  }
  reading.bytesRead += file.bytes
  if (file.bytes > MAXIMUM_BYTES) return refuse("it is larger than 32 MiB")
  if (file.id.length > MAXIMUM_ID) return refuse(`its path is longer than ${MAXIMUM_ID} characters`)
  try {
    const text = decoder.decode(await readFile(file.path))
    return isStorable(text) ? text : refuse(UNSTORABLE)
  } catch (error) {
    return refuse(error instanceof TypeError ? "it is no text in UTF-8" : `it cannot be read (${String(error)})`)
  }
}

/** Every document but those of `.json` files. The title stands in the text, or else it is the file's name. */
export const textItems = async function*(files: ReadonlyArray<File>, reading: Reading): AsyncGenerator<TextItem> {
  for (const file of files) {
    const format = formatOf(file.path)
    if (format === "jsonl") yield* fromCollection(file, reading)
    else if (format !== undefined && format !== "json") {
      const text = await contentOf(file, reading)
      if (text === null) continue
      const title = format === "text/plain" ? { title: basename(file.path) } : {}
      yield { external_id: file.id, text, content_type: format, ...title }
    }
  }
}

/** The `.json` files, one document each. */
export const jsonItems = async function*(files: ReadonlyArray<File>, reading: Reading): AsyncGenerator<JsonItem> {
  for (const file of files) {
    if (formatOf(file.path) !== "json") continue
    const content = await contentOf(file, reading)
    if (content === null) continue
    try {
      let storable = true
      const data = JSON.parse(content, (key, value: unknown) => {
        storable &&= isStorable(key) && (typeof value !== "string" || isStorable(value))
        return value
      }) as JsonItem["data"]
      if (storable) yield { external_id: file.id, data }
      else reading.problems.push({ path: file.path, problem: UNSTORABLE })
    } catch {
      reading.problems.push({ path: file.path, problem: "it is no JSON" })
    }
  }
}
