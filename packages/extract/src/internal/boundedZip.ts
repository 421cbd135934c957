/**
 * Checks a ZIP archive before a library unpacks it.
 *
 * A few kilobytes can unpack to gigabytes, and the sizes in the archive cannot be trusted: everything is unpacked once
 * in small pieces that are counted and discarded.
 */
import { type Entry, fromBufferPromise } from "yauzl"
import { Damaged } from "./Damaged.ts"

const MAX_ENTRIES = 5_000
const MAX_UNPACKED_BYTES = 100_000_000

/** The named entries that exist. Throws if the archive is damaged, encrypted or too large. */
export const boundedZip = async (
  bytes: Uint8Array,
  isWanted: (name: string) => boolean
): Promise<ReadonlyMap<string, Buffer>> => {
  const archive = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {})
  if (archive.entryCount > MAX_ENTRIES) throw new Damaged(`The file holds more than ${MAX_ENTRIES} parts.`)
  const found = new Map<string, Buffer>()
  let unpacked = 0
  for await (const entry of archive.eachEntry() as AsyncIterable<Entry>) {
    if (entry.isEncrypted()) throw new Damaged("The file is encrypted. Send it without a password.")
    const kept: Array<Buffer> = []
    for await (const piece of await archive.openReadStreamPromise(entry)) {
      const part: Buffer = piece
      unpacked += part.length
      if (unpacked > MAX_UNPACKED_BYTES) {
        throw new Damaged(`The file unpacks to more than ${MAX_UNPACKED_BYTES / 1_000_000} MB.`)
      }
      if (isWanted(entry.fileName)) kept.push(part)
    }
    if (isWanted(entry.fileName)) found.set(entry.fileName, Buffer.concat(kept))
  }
  return found
}
