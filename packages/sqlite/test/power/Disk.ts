/**
 * A disk that loses its power: it holds what was synced, and of what was written since, any part. Sectors are written as
 * a whole and in any order.
 */
import type { Step } from "./Recording.ts"

const SECTOR = 512

/** The share of sectors since the last sync that reached the disk. */
const REACHED = 0.6

export type Random = () => number

class Image {
  #bytes: Buffer
  #length: number

  constructor(bytes: Buffer = Buffer.alloc(65_536), length = 0) {
    this.#bytes = bytes
    this.#length = length
  }

  get content(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  copy(): Image {
    return new Image(Buffer.from(this.#bytes), this.#length)
  }

  resize(length: number): void {
    if (length > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(length, 2 * this.#bytes.length))
      this.content.copy(larger)
      this.#bytes = larger
    }
    if (length < this.#length) this.#bytes.fill(0, length, this.#length)
    this.#length = length
  }

  write(offset: number, bytes: Buffer): void {
    this.resize(Math.max(this.#length, offset + bytes.length))
    bytes.copy(this.#bytes, offset)
  }

  apply({ bytes, kind, offset }: Step): void {
    if (kind === "truncate") this.resize(offset)
    else this.write(offset, bytes)
  }

  /** Only some sectors of a write, and perhaps not the truncation. */
  applyInPart(step: Step, random: Random): void {
    const { bytes, kind, offset } = step
    if (kind === "truncate") {
      if (random() < 0.5) this.apply(step)
      return
    }
    for (let at = 0; at < bytes.length;) {
      const end = Math.min(bytes.length, at + SECTOR - (offset + at) % SECTOR)
      if (random() < REACHED) this.write(offset + at, bytes.subarray(at, end))
      at = end
    }
  }
}

interface Recorded {
  readonly synced: Image
  /** Written since the last sync. */
  waiting: Array<Step>
  /** How many of these a sync under way covers. */
  covered: number
}

export class Disk {
  readonly #files = new Map<string, Recorded>()

  #file(name: string): Recorded {
    const known = this.#files.get(name)
    if (known !== undefined) return known
    const added = { synced: new Image(), waiting: [], covered: 0 }
    this.#files.set(name, added)
    return added
  }

  take(step: Step): void {
    const file = this.#file(step.file)
    if (step.kind === "sync begins") file.covered = file.waiting.length
    else if (step.kind === "sync returns") {
      for (const covered of file.waiting.splice(0, file.covered)) file.synced.apply(covered)
      file.covered = 0
    } else file.waiting.push(step)
  }

  /** What may be left after a power failure: nothing of what was not synced, all of it, or any part. */
  afterPowerCut(random: Random): ReadonlyMap<string, Buffer> {
    const luck = random()
    return new Map([...this.#files].map(([name, { synced, waiting }]) => {
      const image = synced.copy()
      for (const step of waiting) {
        if (luck > 0.9) image.apply(step)
        else if (luck > 0.2) image.applyInPart(step, random)
      }
      return [name, image.content]
    }))
  }
}
