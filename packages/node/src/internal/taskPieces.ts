/** Splits a task into pieces that are created and sent quickly, so that the sender can do other work in between. */
import type { Piece, Task } from "./indexMessages.ts"

/** UTF-16 code units of text, or bytes of segments: a fraction of a millisecond. */
const PIECE_SIZE = 500_000

/** The size that counts for a document without text. */
const MIN_SIZE = 500

/** A piece with the buffers to transfer; null for a step that does not complete a piece. */
type Step = { readonly piece: Piece; readonly moved: ReadonlyArray<ArrayBuffer> } | null

type Add = Extract<Task, { readonly type: "add" }>
type AddPiece = Extract<Piece, { readonly type: "add" }>
type Merge = Extract<Task, { readonly type: "merge" }>
type Document = Add["input"][number]

function* ofDocuments({ input, type }: Add): Generator<Step> {
  let piece: Array<Document> = []
  let text = 0
  for (const document of input) {
    let chunks: Array<string> = []
    text += MIN_SIZE
    for (const chunk of document.chunks) {
      if (text >= PIECE_SIZE) {
        const isCut = chunks.length > 0
        if (isCut) piece.push({ ...document, chunks })
        yield { piece: { type, input: piece, isLast: false, isCut }, moved: [] }
        piece = []
        chunks = []
        text = MIN_SIZE
      }
      chunks.push(chunk)
      text += chunk.length
    }
    piece.push({ ...document, chunks })
  }
  yield { piece: { type, input: piece, isLast: true }, moved: [] }
}

/** Copies, because the segments may be in use here. */
function* ofMerge({ input, type }: Merge): Generator<Step> {
  for (const [index, { bytes, hidden }] of input.entries()) {
    const copy = new Uint8Array(bytes.length)
    for (let at = 0; at < bytes.length; at += PIECE_SIZE) {
      if (at > 0) yield null
      copy.set(bytes.subarray(at, at + PIECE_SIZE), at)
    }
    const isLast = index === input.length - 1
    yield { piece: { type, input: [{ bytes: copy, hidden }], isLast }, moved: [copy.buffer] }
  }
}

function* ofNothing({ input, type }: Extract<Task, { readonly type: "finish" }>): Generator<Step> {
  yield { piece: { type, input, isLast: true }, moved: [] }
}

export const piecesOf = (task: Task): Generator<Step> =>
  task.type === "add" ? ofDocuments(task) : task.type === "merge" ? ofMerge(task) : ofNothing(task)

/** Completes the documents of which a piece has only the beginning. */
export const joinedDocuments = () => {
  let begun: ReadonlyArray<string> = []
  return ({ input, isCut }: AddPiece): ReadonlyArray<Document> => {
    const [first, ...others] = input
    if (first === undefined) return input
    const all = [{ ...first, chunks: [...begun, ...first.chunks] }, ...others]
    begun = isCut === true ? all.pop()!.chunks : []
    return all
  }
}
