/** The lines of a file of text, unpacked where it is packed. */
import { ITEMS, sizeText } from "@tributary/http/api/BodyLimit"
import { createReadStream } from "node:fs"
import { createGunzip } from "node:zlib"
import { splitLines } from "../splitLines.ts"

/** A line's text, or the reason why it is missing. */
type Line = { readonly text: string } | { readonly problem: string }

const decoder = new TextDecoder("utf-8", { fatal: true })

const decoded = (line: Uint8Array): Line => {
  try {
    return { text: decoder.decode(line) }
  } catch {
    return { problem: "it is no text in UTF-8" }
  }
}

const unpacked = (path: string) => {
  const file = createReadStream(path)
  if (!path.toLowerCase().endsWith(".gz")) return { file, content: file }
  const content = createGunzip()
  file.on("error", (error) => content.destroy(error)).pipe(content)
  return { file, content }
}

/** `onProgress` gets the number of bytes that were read. Fails with the file's error. */
export const linesOf = async function*(path: string, onProgress: (bytes: number) => void): AsyncGenerator<Line> {
  const { content, file } = unpacked(path)
  try {
    for await (const line of splitLines(content, ITEMS)) {
      onProgress(file.bytesRead)
      yield line === null ? { problem: `it is longer than ${sizeText(ITEMS)}` } : decoded(line)
    }
  } finally {
    file.destroy()
    content.destroy()
  }
}
