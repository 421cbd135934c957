/** The lines of a stream of bytes, with never more than one of them in memory. */

const NEWLINE = 0x0a

/** Null for a line of more than `longest` bytes. The last line needs no line break. */
export const splitLines = async function*(
  chunks: AsyncIterable<Uint8Array>,
  longest: number
): AsyncGenerator<Buffer | null> {
  let pieces: Array<Uint8Array> = []
  let length = 0
  const add = (piece: Uint8Array) => {
    length += piece.length
    if (length <= longest) pieces.push(piece)
    else pieces = []
  }
  const end = (): Buffer | null => {
    const line = length > longest ? null : Buffer.concat(pieces)
    pieces = []
    length = 0
    return line
  }
  for await (const chunk of chunks) {
    let start = 0
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, at))
      yield end()
      start = at + 1
    }
    add(chunk.subarray(start))
  }
  if (length > 0) yield end()
}
