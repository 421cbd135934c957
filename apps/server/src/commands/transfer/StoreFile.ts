/**
 * Writes the file that a store is exported to: lines, compressed, with a last line that has the SHA-256 of all before
 * it. So a file that was cut off or changed is detected.
 */
import { partialName, renameNew } from "@tributary/node/newFile"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { rm } from "node:fs/promises"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { encrypting } from "./encryption.ts"

/** The last line. */
export const trailer = (hash: string): string => JSON.stringify({ sha256: hash })

/** A file that gets its name when it is complete, and never replaces another one. */
export class StoreFile {
  readonly #path: string
  readonly #partial: string
  readonly #gzip = createGzip()
  readonly #hash = createHash("sha256")
  readonly #written: Promise<void>
  #error: Error | undefined

  /** Encrypted with a passphrase, or (null) in clear. */
  constructor(path: string, passphrase: string | null = null) {
    this.#path = path
    this.#partial = partialName(path)
    const file = createWriteStream(this.#partial, { flags: "wx", mode: 0o600, flush: true })
    this.#written = passphrase === null
      ? pipeline(this.#gzip, file)
      : pipeline(this.#gzip, encrypting(passphrase), file)
    // Reported by the next write.
    this.#written.catch((error: Error) => this.#error = error)
  }

  async write(lines: string): Promise<void> {
    if (this.#error !== undefined) throw this.#error
    this.#hash.update(lines)
    if (!this.#gzip.write(lines)) await Promise.race([once(this.#gzip, "drain"), this.#written])
  }

  async finish(): Promise<void> {
    this.#gzip.end(`${trailer(this.#hash.digest("hex"))}\n`)
    await this.#written
    renameNew(this.#partial, this.#path)
  }

  async abandon(): Promise<void> {
    this.#gzip.destroy()
    await this.#written.catch(() => undefined)
    // What cannot be removed could not be created, either.
    await rm(this.#partial, { force: true }).catch(() => undefined)
  }
}
