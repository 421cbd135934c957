/** The file of a large segment, read on demand. */
import type { SegmentSource } from "@tributary/core/ports/SegmentCache"
import { readSync } from "node:fs"
import { type FileHandle, open, stat } from "node:fs/promises"

/** In bytes. Smaller files are read completely, and keep no descriptor. */
const LARGE = 1_000_000

/** Read-ahead overwrites one buffer, which stays in the processor's cache. */
const piece = new Uint8Array(1 << 16)
const pieces = Array.from({ length: 64 }, () => piece)

/** Milliseconds for which a written or opened file is assumed to be in the page cache. */
const RECENT = 600_000

/** Closes the file when its reader is garbage-collected. */
const left = new FinalizationRegistry<FileHandle>((handle) => void handle.close().catch(() => {}))

class SegmentFile implements SegmentSource {
  readonly byteLength: number
  readonly #handle: FileHandle

  /** The file is closed when this is garbage-collected. Until then it may be removed if the system allows that. */
  constructor(handle: FileHandle, byteLength: number) {
    this.#handle = handle
    this.byteLength = byteLength
    left.register(this, handle)
  }

  read(into: Uint8Array, from: number): boolean {
    try {
      for (let done = 0; done < into.length;) {
        const count = readSync(this.#handle.fd, into, done, into.length - done, from + done)
        // It was cut short.
        if (count === 0) return false
        done += count
      }
      return true
    } catch {
      return false
    }
  }

  /** After it the system has all of it in memory: a search, which holds up everything else, does not wait for the disk. */
  async readThrough(): Promise<void> {
    for (let at = 0; at < this.byteLength; at += pieces.length * piece.length) await this.#handle.readv(pieces, at)
  }
}

/** Null if it is small. Fails if it does not exist. */
export const openSegmentFile = async (path: string): Promise<SegmentSource | null> => {
  const { mtimeMs, size } = await stat(path)
  if (size < LARGE) return null
  const file = new SegmentFile(await open(path), size)
  if (Date.now() - mtimeMs > RECENT) await file.readThrough()
  return file
}
