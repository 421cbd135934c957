/** Converts files to items: one per file, or one per line of a collection. */
import { type JsonItem, MAX_EXTERNAL_ID, type TextItem } from "@tributary/core/model/Ingest"
import { parseJson } from "@tributary/core/model/parseJson"
import { isStorable } from "@tributary/core/model/Text"
import { runGenerator } from "@tributary/core/runGenerator"
import { decodeText } from "@tributary/extract/TextFile"
import { ITEMS, sizeText } from "@tributary/http/api/BodyLimit"
import { MAX_DATA_DEPTH, readJson } from "@tributary/http/JsonReader"
import { errorMessage } from "@tributary/node/errors"
import { readProblem } from "@tributary/node/fileProblem"
import { Result } from "effect"
import { readFile } from "node:fs/promises"
import { basename } from "node:path"
import { fromCollection } from "./collection.ts"
import { type File, formatOf } from "./Files.ts"
import { type ReadProgress, UNSTORABLE } from "./ReadProgress.ts"

const refusing = ({ path }: File, { problems }: ReadProgress) => (problem: string): null => {
  problems.push({ path, problem })
  return null
}

const bytesOf = async (file: File, reading: ReadProgress): Promise<Buffer<ArrayBuffer> | null> => {
  const refuse = refusing(file, reading)
  reading.bytesRead += file.bytes
  if (file.bytes > ITEMS) return refuse(`it is larger than ${sizeText(ITEMS)}`)
  if (file.id.length > MAX_EXTERNAL_ID) return refuse(`its path is longer than ${MAX_EXTERNAL_ID} characters`)
  try {
    return await readFile(file.path)
  } catch (error) {
    return refuse(`it cannot be read: ${readProblem(error)}`)
  }
}

/** Decoded like an upload. */
const contentOf = async (file: File, contentType: string, reading: ReadProgress): Promise<string | null> => {
  const bytes = await bytesOf(file, reading)
  if (bytes === null) return null
  try {
    return decodeText(bytes, contentType)
  } catch (error) {
    return refusing(file, reading)(errorMessage(error))
  }
}

/** A text document. The title comes from the text, or else is the file's name. */
export const textItems = async function*(files: ReadonlyArray<File>, reading: ReadProgress): AsyncGenerator<TextItem> {
  for (const file of files) {
    const format = formatOf(file.path)
    if (format === "jsonl") yield* fromCollection(file, reading)
    else if (format !== undefined && format !== "json" && format !== "upload") {
      const text = await contentOf(file, format, reading)
      if (text === null) continue
      const title = format === "text/plain" ? { title: basename(file.path) } : {}
      yield { external_id: file.id, text, content_type: format, ...title }
    }
  }
}

/** The reason why a value cannot be sent, if any. */
const faultOf = (value: unknown, depth = 0): string | undefined => {
  if (typeof value === "string") return isStorable(value) ? undefined : UNSTORABLE
  if (typeof value === "number") return Number.isFinite(value) ? undefined : "it holds a number that is too large"
  if (typeof value !== "object" || value === null) return undefined
  if (depth === MAX_DATA_DEPTH) return `it is nested more than ${MAX_DATA_DEPTH} levels deep`
  for (const part of Object.entries(value).flat()) {
    const fault = faultOf(part, depth + 1)
    if (fault !== undefined) return fault
  }
  return undefined
}

const losesDigits = (json: string): boolean =>
  Result.getOrUndefined(runGenerator(readJson(json)))?.altered !== undefined

/** The `.json` files, one document each. */
export const jsonItems = async function*(files: ReadonlyArray<File>, reading: ReadProgress): AsyncGenerator<JsonItem> {
  for (const file of files) {
    if (formatOf(file.path) !== "json") continue
    const content = await contentOf(file, "application/json", reading)
    if (content === null) continue
    try {
      const data = parseJson(content) as JsonItem["data"]
      const problem = faultOf(data) ?? (losesDigits(content) ? "it holds an integer that would lose digits" : undefined)
      if (problem === undefined) yield { external_id: file.id, data }
      else reading.problems.push({ path: file.path, problem })
    } catch {
      reading.problems.push({ path: file.path, problem: "it is no JSON" })
    }
  }
}

/** The files whose text the service extracts, one document each. */
export const uploads = async function*(files: ReadonlyArray<File>, reading: ReadProgress) {
  for (const file of files) {
    if (formatOf(file.path) !== "upload") continue
    const bytes = await bytesOf(file, reading)
    if (bytes !== null) {
      yield { path: file.path, external_id: file.id, file: new globalThis.File([bytes], basename(file.path)) }
    }
  }
}
