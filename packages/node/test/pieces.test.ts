import { assert, it } from "@effect/vitest"
import type { Task } from "../src/internal/messages.ts"
import { piecesOf, textOf } from "../src/internal/pieces.ts"

/** More than one piece takes, and what a piece may go beyond it: a document of these tests. */
const BOUND = 500_000 + 50_000

const steps = (task: Task) => [...piecesOf(task)]

const sent = (task: Task) => steps(task).flatMap((step) => step === null ? [] : [step])

const add: Task = {
  type: "add",
  input: Array.from({ length: 100 }, (_, number) => ({
    id: `019a0000-0000-7000-8000-${String(number).padStart(12, "0")}`,
    version: 1,
    title: "",
    chunks: ["some words ".repeat(number * 40)],
    tags: [],
    from: 0,
    to: 0
  }))
}

const merge: Task = {
  type: "merge",
  input: [1_300_000, 10, 600_000].map((length, number) => ({
    bytes: new Uint8Array(length).fill(number + 1),
    hidden: [number]
  }))
}

it("documents are sent in pieces of a bounded size, in their order, and only the last says so", () => {
  const pieces = sent(add).map(({ piece }) => piece)
  assert.isAbove(pieces.length, 3)
  assert.deepStrictEqual<unknown>(pieces.flatMap(({ input }): ReadonlyArray<unknown> => input), add.input)
  for (const piece of pieces) {
    if (piece.type !== "add") throw new Error("of another type")
    assert.isBelow(piece.input.reduce((sum, document) => sum + textOf(document), 0), BOUND)
    assert.strictEqual(piece.isLast, piece === pieces.at(-1))
  }
})

it("segments are sent as copies that move, made in bounded steps, and stay readable for whoever sent them", () => {
  const pieces = sent(merge)
  assert.deepStrictEqual<unknown>(pieces.flatMap(({ piece }): ReadonlyArray<unknown> => piece.input), merge.input)
  assert.deepStrictEqual(pieces.map(({ piece }) => piece.isLast), [false, false, true])
  for (const { moved, piece: { input } } of pieces) {
    assert.deepStrictEqual<unknown>(moved, input.map((one) => "bytes" in one ? one.bytes.buffer : undefined))
  }
  assert.strictEqual(steps(merge).length, 3 + 2 + 1)
  for (const { bytes } of merge.input) assert.isAbove(bytes.length, 0)
})
