/** The thread that builds segments: one task after the other, until it is ended. */
import { type MergePart, mergeParts, segmentDraft } from "@tributary/retrieval"
import { constants, getPriority, setPriority } from "node:os"
import { parentPort, workerData } from "node:worker_threads"
import type { Answer, Piece, Thread } from "./indexMessages.ts"
import { joinedDocuments } from "./taskPieces.ts"

const port = parentPort
if (port === null) throw new Error("this module is the entry of a worker thread")

const { urgency } = workerData as Thread

// On Linux this sets the priority of the calling thread; elsewhere it would affect the whole process. Beside busy
// processors it gets a tenth of one. The lowest priority would get a hundredth, and never finish a large rebuild.
if (urgency === "patient" && process.platform === "linux") {
  setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL))
}

let draft: ReturnType<typeof segmentDraft> | null = null
let parts: Array<MergePart> = []
const joined = joinedDocuments()

/** Shared memory does not count for the garbage collector; other external memory triggers full collections. */
const shared = (bytes: Uint8Array): Uint8Array => {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length))
  copy.set(bytes)
  return copy
}

/** Null before the end of a task, and where documents were added. */
const perform = (piece: Piece): Uint8Array | null => {
  const { isLast, type } = piece
  if (type === "merge") {
    parts.push(...piece.input)
    if (!isLast) return null
    const taken = parts
    parts = []
    return shared(mergeParts(taken))
  }
  const begun = draft ??= segmentDraft()
  if (type === "add") {
    begun.add(joined(piece))
    return null
  }
  draft = null
  return shared(begun.finish())
}

port.on("message", (piece: Piece) => {
  try {
    const bytes = perform(piece)
    if (piece.isLast) port.postMessage({ bytes } satisfies Answer)
  } catch (error) {
    port.postMessage({ error: error instanceof Error ? error.stack ?? error.message : String(error) } satisfies Answer)
  }
})
