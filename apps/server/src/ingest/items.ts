/** What files become: a document each, or one for every line of a collection. */
import type { JsonItem, TextItem } from "@tributary/core/model/Ingest"
import { isStorable } from "@tributary/core/model/Text"
import { readFile } from "node:fs/promises"
import { basename } from "node:path"
import { fromCollection } from "./collection.ts"
import { type File, formatOf } from "./Files.ts"
import { MAXIMUM_ID, type Reading, UNSTORABLE } from "./Reading.ts"

const MAXIMUM_BYTES = 32 * 1024 * 1024

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
