import { FatalFailure } from "@tributary/core/ports/Provider"

/** Reads a whole body after decompression. A body over the limit is refused before it is buffered. */
export const boundedBytes = async (
  body: AsyncIterable<Uint8Array> | null,
  maxBytes: number
): Promise<Uint8Array<ArrayBuffer>> => {
  const parts: Array<Uint8Array> = []
  let length = 0
  for await (const part of body ?? []) {
    length += part.length
    if (length > maxBytes) throw new FatalFailure({ message: `The answer is longer than ${maxBytes} bytes.` })
    parts.push(part)
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
