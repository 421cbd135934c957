import { assert, it } from "@effect/vitest"
import type { Task } from "../src/internal/indexMessages.ts"
import { textLength } from "@tributary/retrieval"
import { joinedDocuments, piecesOf } from "../src/internal/taskPieces.ts"

/** More than one piece takes, and what a piece may go beyond it: a document of these tests. */
const BOUND = 500_000 + 50_000

const steps = (task: Task) => [...piecesOf(task)]

const sent = (task: Task) => steps(task).flatMap((step) => step === null ? [] : [step])

const document = (number: number, chunks: ReadonlyArray<string>) => ({
  id: `019a0000-0000-7000-8000-${String(number).padStart(12, "0")}`,
  version: 1,
  title: "",
  chunks,
  tags: [],
  from: 0,
  to: 0
})

/** Many, with a long one and one without text among them. */
const add: Task = {
  type: "add",
  input: [
    ...Array.from({ length: 100 }, (_, number) => document(number, ["some words ".repeat(number * 40)])),
    document(100, Array.from({ length: 3_000 }, (_, chunk) => `chunk ${chunk} `.repeat(60))),
    document(101, []),
    document(102, ["the last"])
  ]
}

const merge: Task = {
  type: "merge",
  input: [1_300_000, 10, 600_000].map((length, number) => ({
    bytes: new Uint8Array(length).fill(number + 1),
    hidden: [number]
  }))
}

it("documents are sent in pieces of a bounded size, the long ones in several, in their order, and only the last says so", () => {
  const pieces = sent(add).map(({ piece }) => piece)
  const joined = joinedDocuments()
  const documents = pieces.flatMap((piece): ReadonlyArray<unknown> => piece.type === "add" ? joined(piece) : [])
  assert.isAbove(pieces.length, 3)
  assert.deepStrictEqual<unknown>(documents, add.input)
  for (const piece of pieces) {
    if (piece.type !== "add") throw new Error("of another type")
    assert.isBelow(piece.input.reduce((sum, document) => sum + textLength(document), 0), BOUND)
    assert.strictEqual(piece.isLast, piece === pieces.at(-1))
  }
})

it("segments are sent as transferred copies, made in bounded steps, and stay readable for the sender", () => {
  const pieces = sent(merge)
  assert.deepStrictEqual<unknown>(pieces.flatMap(({ piece }): ReadonlyArray<unknown> => piece.input), merge.input)
  assert.deepStrictEqual(pieces.map(({ piece }) => piece.isLast), [false, false, true])
  for (const { moved, piece: { input } } of pieces) {
    assert.deepStrictEqual<unknown>(moved, input.map((one) => "bytes" in one ? one.bytes.buffer : undefined))
  }
  assert.strictEqual(steps(merge).length, 3 + 2 + 1)
  for (const { bytes } of merge.input) assert.isAbove(bytes.length, 0)
})
