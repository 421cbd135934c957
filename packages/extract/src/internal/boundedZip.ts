/**
 * Unpacks the parts of a ZIP archive that are read.
 *
 * A few kilobytes can unpack to gigabytes, and the sizes in the archive cannot be trusted: what is unpacked is counted.
 * Pictures are not unpacked. They may be large, or packed in ways that are unknown here.
 */
import { type Entry, fromBufferPromise } from "yauzl"
import { Damaged } from "./Damaged.ts"

const MAX_ENTRIES = 5_000
const MAX_UNPACKED_BYTES = 100_000_000

/**
 * The entries that have a key, by that; of several with one key, the first. Throws if the archive is damaged, encrypted
 * or too large.
 */
export const boundedZip = async (
  bytes: Uint8Array,
  keyOf: (name: string) => string | null
): Promise<ReadonlyMap<string, Buffer>> => {
  const archive = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {})
  if (archive.entryCount > MAX_ENTRIES) throw new Damaged(`The file holds more than ${MAX_ENTRIES} parts.`)
  const found = new Map<string, Buffer>()
  let unpacked = 0
  for await (const entry of archive.eachEntry() as AsyncIterable<Entry>) {
    if (entry.isEncrypted()) throw new Damaged("The file is encrypted. Send it without a password.")
    const key = keyOf(entry.fileName)
    if (key === null || found.has(key)) continue
    const pieces: Array<Buffer> = []
    for await (const piece of await archive.openReadStreamPromise(entry)) {
      const part: Buffer = piece
      unpacked += part.length
      if (unpacked > MAX_UNPACKED_BYTES) {
        throw new Damaged(`The file unpacks to more than ${MAX_UNPACKED_BYTES / 1_000_000} MB.`)
      }
      pieces.push(part)
    }
    found.set(key, Buffer.concat(pieces))
  }
  return found
}
