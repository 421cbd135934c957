/** Reads the contents of a repository's files through one process. */
import { RetryableFailure } from "@tributary/core/ports/Provider"
import { type GitRun, startGit } from "./gitProcess.ts"

export interface Blobs {
  /** Null if it is larger than `maxBytes`. */
  readonly read: (object: string, maxBytes: number) => Promise<Uint8Array<ArrayBuffer> | null>
  readonly end: () => void
}

export const openBlobs = (run: GitRun): Blobs => {
  const child = startGit({ ...run, timeoutMillis: null }, ["cat-file", "--batch-command"])
  const output = child.stdout[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)

  const more = async (): Promise<Buffer> => {
    const { done, value } = await output.next()
    if (!done) return value
    await child.ended
    throw new RetryableFailure({ message: "Git ended before it had answered." })
  }

  const line = async (): Promise<string> => {
    while (!held.includes(10)) held = Buffer.concat([held, await more()])
    const at = held.indexOf(10)
    const text = held.subarray(0, at).toString("latin1")
    held = held.subarray(at + 1)
    return text
  }

  const exactly = async (length: number): Promise<Uint8Array<ArrayBuffer>> => {
    const bytes = new Uint8Array(length)
    let at = 0
    while (at < length) {
      if (held.length === 0) held = await more()
      const taken = held.subarray(0, length - at)
      bytes.set(taken, at)
      at += taken.length
      held = held.subarray(taken.length)
    }
    return bytes
  }

  const sizeOf = async (object: string): Promise<number> => {
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(await line())?.[1]
    if (size === undefined) throw new RetryableFailure({ message: `The clone lacks the object ${object}.` })
    return Number(size)
  }

  return {
    read: async (object, maxBytes) => {
      child.stdin.write(`info ${object}\n`)
      if (await sizeOf(object) > maxBytes) return null
      child.stdin.write(`contents ${object}\n`)
      const bytes = await exactly(await sizeOf(object))
      await line()
      return bytes
    },
    end: child.end
  }
}
