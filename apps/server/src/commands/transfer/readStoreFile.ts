/** Reads the file that a store was exported to, and detects one that was cut off or changed. */
import { createHash } from "node:crypto"
import { createReadStream, type ReadStream } from "node:fs"
import { open } from "node:fs/promises"
import { Readable } from "node:stream"
import { createGunzip } from "node:zlib"
import { MAX_UPLOAD_BYTES } from "@tributary/core/model/Ingest"
import { errorCode } from "@tributary/node/errors"
import { ImportRefused } from "@tributary/core/transfer/ImportRefused"
import { firstBytes } from "../../firstBytes.ts"
import { splitLines } from "../splitLines.ts"
import { decrypted, HEADER_BYTES, isEncrypted } from "./encryption.ts"
import { trailer } from "./StoreFile.ts"

/** Longer than any line of an export: a row may hold a whole body of an ingest, in JSON that is escaped again. */
const MAX_LINE = 3 * MAX_UPLOAD_BYTES

const damaged = () => new ImportRefused({ message: "The file is damaged or was cut off. Nothing was imported." })

const refusedBy = (error: unknown): unknown => String(errorCode(error)).startsWith("Z_") ? damaged() : error

const GZIP = Buffer.from([0x1f, 0x8b])
const SQLITE = Buffer.from("SQLite format 3\0")

const startsWith = (bytes: Buffer, start: Buffer): boolean => bytes.subarray(0, start.length).equals(start)

/** Whether a file starts like an export. */
export const isExport = (header: Buffer): boolean => startsWith(header, GZIP) || isEncrypted(header)

/** Throws for a file that never was an export. */
const requireExport = (header: Buffer): void => {
  if (isExport(header)) return
  throw new ImportRefused({
    message: startsWith(header, SQLITE)
      ? "The file is a backup, not an export: \"tributary restore\" loads it."
      : "The file is not an export of Tributary."
  })
}

const compressed = (source: ReadStream, header: Buffer, passphrase: string | null): Readable => {
  if (isEncrypted(header)) {
    if (passphrase === null) {
      throw new ImportRefused({ message: "The file is encrypted. Name its passphrase with --passphrase-file." })
    }
    return Readable.from(decrypted(passphrase, header, source))
  }
  // With a passphrase, an unencrypted file is refused, because it may have been exchanged.
  if (passphrase !== null) {
    throw new ImportRefused({ message: "The file is not encrypted, and a passphrase was given." })
  }
  return source
}

interface ReadOptions {
  readonly passphrase?: string | null
  /** The number of bytes read so far. */
  readonly onBytes?: (bytes: number) => void
}

/** The lines of a complete file; throws `ImportRefused` at the end of an incomplete one. */
export const readStoreFile = async function*(
  path: string,
  { onBytes = () => {}, passphrase = null }: ReadOptions = {}
): AsyncGenerator<string> {
  const header = await firstBytes(path, HEADER_BYTES)
  requireExport(header)
  const source = createReadStream(path, { start: isEncrypted(header) ? HEADER_BYTES : 0 })
  const gunzip = createGunzip()
  source.on("data", () => onBytes(source.bytesRead))
  const hash = createHash("sha256")
  let last: string | undefined
  try {
    const bytes = compressed(source, header, passphrase)
    for (const stream of new Set([source, bytes])) stream.on("error", (error: Error) => gunzip.destroy(error))
    for await (const line of splitLines(bytes.pipe(gunzip), MAX_LINE)) {
      if (line === null) throw damaged()
      if (last !== undefined) {
        hash.update(`${last}\n`)
        yield last
      }
      last = line.toString("utf8")
    }
  } catch (error) {
    throw refusedBy(error)
  } finally {
    source.destroy()
    gunzip.destroy()
  }
  if (last !== trailer(hash.digest("hex"))) throw damaged()
}

/** The size of a readable file in bytes. */
export const sizeOf = async (path: string): Promise<number> => {
  const file = await open(path, "r")
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new Error("it is no file")
    return stat.size
  } finally {
    await file.close()
  }
}
