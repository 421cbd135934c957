import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { packPassages } from "../../src/model/packPassages.ts"
import { evidenceOf } from "../support/evidence.ts"

const PARAGRAPHS = [
  "The harbour master opens the gate of the harbour at six.",
  "A gate is there.",
  "The harbour master closes the gate of the harbour at nine."
]

const QUERY = "harbour master gate"

const pack = (documents: ReadonlyArray<readonly [title: string, text: string]>, tokens: number, query = QUERY) =>
  Effect.runPromise(packPassages(query, evidenceOf(documents).source, tokens))

describe("the passages for a model", () => {
  it("contain no text twice, even if two of the best share their context", async () => {
    const { passages, truncated } = await pack([["", PARAGRAPHS.join("\n\n")]], 1_000)
    assert.deepStrictEqual(passages.map(({ text }) => text), [PARAGRAPHS.join("\n\n")])
    assert.isFalse(truncated)
  })

  it("are those with the best units, in any order of the search", async () => {
    const found = [["", "A gate is there, and a garden, and a house."], ["", PARAGRAPHS[0]!]] as const
    const all = await pack(found, 1_000)
    assert.deepStrictEqual(all.passages.map(({ text }) => text), [PARAGRAPHS[0], found[0][1]])
    const few = await pack(found, 50)
    assert.deepStrictEqual(few.passages.map(({ text }) => text), [PARAGRAPHS[0]])
    assert.isTrue(few.truncated)
  })

  it("come first from a document whose title says what is asked, if another text has the same words", async () => {
    const log = ["Audit log", "It records invitations of members."] as const
    const guide = ["Invite someone", "An owner invites members."] as const
    const { passages } = await pack([log, guide], 1_000, "Who can invite members?")
    assert.deepStrictEqual(passages.map(({ title }) => title), ["Invite someone", "Audit log"])
  })

  it("come first from a sentence, if code has the same words in its names", async () => {
    const code = ["", "```js\nconst server = app.listen(port)\n```"] as const
    const sentence = ["", "The server listens on port 8787."] as const
    const { passages } = await pack([code, sentence], 1_000, "Which port does the server listen on?")
    assert.deepStrictEqual(passages.map(({ text }) => text), [sentence[1], code[1]])
  })

  it("are named by the title of their document and the headings above them", async () => {
    const filler = Array.from({ length: 30 }, (_, at) => `Paragraph ${at} is about boats and nets.`).join("\n\n")
    const text = `<h1 align="center">Harbour</h1>\n\n## Hours\n\n${filler}\n\n${PARAGRAPHS[0]}`
    const { passages } = await pack([["Guide", text]], 60)
    assert.deepStrictEqual(passages.map(({ text, title }) => [title, text]), [[
      "Guide > Harbour > Hours",
      PARAGRAPHS[0]
    ]])
  })

  it("include what else a document says, the nearest first, if few passages are found", async () => {
    const { source } = evidenceOf([["Guide", `${PARAGRAPHS[0]}\n\n`]])
    const { passages: [found] } = await Effect.runPromise(source.search(QUERY, 1))
    const texts = [found!.text, ...Array.from({ length: 9 }, (_, at) => `Boat ${at} is moored at the pier.\n\n`)]
    const read: typeof source.read = (refs) =>
      Effect.succeed(
        refs.filter(({ ordinal }) => ordinal < texts.length).map(({ ordinal }) => ({
          ...found!,
          ordinal,
          text: texts[ordinal]!,
          start: texts.slice(0, ordinal).join("").length
        }))
      )
    const packed = (tokens: number) => Effect.runPromise(packPassages(QUERY, { ...source, read }, tokens))
    const all = await packed(1_000)
    assert.deepStrictEqual(all.passages.map(({ text }) => text), [texts.join("").trim()])
    const few = await packed(70)
    assert.match(few.passages.map(({ text }) => text).join("\n\n"), /^The harbour master .*\n\nBoat 0 /)
    assert.isFalse(few.truncated)
  })

  it("include the beginning of what there is no room for", async () => {
    const gates = Array.from({ length: 8 }, (_, at) => `The gate ${at} is at the pier: ${"äöü ".repeat(10)}.`)
    const text = gates.join("\n\n")
    const { passages: [best, others], truncated } = await pack([["", PARAGRAPHS[0]!], ["", text]], 150)
    assert.strictEqual(best?.text, PARAGRAPHS[0])
    assert.match(others!.text, /^The gate 0 [^]*äöü [.]$/)
    assert.isTrue(text.startsWith(others!.text))
    assert.isTrue(truncated)
  })

  it("are the best with their context, and as many others as fit without", async () => {
    const around = (said: string) => `Some words on boats.\n\n${said}\n\nSome words on nets.`
    const documents = Array.from(
      { length: 9 },
      (_, at) => ["", around(`Gate ${at} of the harbour has a master.`)] as const
    )
    const { passages } = await pack(documents, 1_000)
    const [best, last] = [passages[0]!, passages[8]!]
    assert.strictEqual(best.text, around("Gate 0 of the harbour has a master."))
    assert.strictEqual(last.text, "Gate 8 of the harbour has a master.")
  })
})
