/** The lines of a file, unpacked where it is packed, with never more than one of them in memory. */
import { ITEMS, sizeText } from "@tributary/http/api/BodyLimit"
import { createReadStream } from "node:fs"
import { createGunzip } from "node:zlib"

const NEWLINE = 0x0a

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

/** Collects the pieces of a line; once it is too long, they are only counted. */
class LineBuffer {
  #pieces: Array<Uint8Array> = []
  #bytes = 0

  add(piece: Uint8Array): void {
    this.#bytes += piece.length
    if (this.#bytes <= ITEMS) this.#pieces.push(piece)
    else this.#pieces = []
  }

  get isEmpty(): boolean {
    return this.#bytes === 0
  }

  end(): Line {
    const line = this.#bytes > ITEMS
      ? { problem: `it is longer than ${sizeText(ITEMS)}` }
      : decoded(Buffer.concat(this.#pieces))
    this.#pieces = []
    this.#bytes = 0
    return line
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
  const line = new LineBuffer()
  try {
    for await (const chunk of content as AsyncIterable<Uint8Array>) {
      onProgress(file.bytesRead)
      let start = 0
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        line.add(chunk.subarray(start, end))
        yield line.end()
        start = end + 1
      }
      line.add(chunk.subarray(start))
    }
    if (!line.isEmpty) yield line.end()
  } finally {
    file.destroy()
    content.destroy()
  }
}
