import { assert, describe, it } from "@effect/vitest"
import { layer } from "@tributary/extract/Extract"
import { Effect } from "effect"
import { hasOfficeTools, makeOfficeFiles } from "./support/officeFiles.ts"
import { read, refusal } from "./support/reading.ts"

/** Words and numbers, in order: how they are laid out is each reader's own business. */
const wordsOf = (text: string) => text.match(/\p{L}+|\p{N}+/gu) ?? []
const sorted = (text: string) => wordsOf(text).toSorted()

describe.skipIf(!hasOfficeTools)("a real office file", () => {
  const files = hasOfficeTools ? makeOfficeFiles() : null!

  it.layer(layer)((it) => {
    it.effect("of Word has the words that pandoc reads, its title, author and date", () =>
      Effect.gen(function*() {
        const { authors, date, text, title } = yield* read("a.docx", "", files.docx)
        assert.strictEqual(title, "Handbook of the rescue service")
        assert.deepStrictEqual(authors, ["Ada Example"])
        assert.strictEqual(date?.toISOString().slice(0, 10), "2025-03-04")
        assert.include(text, "Every lifeboat carries a radio. The naïve café — “quoted” — costs 12 €.")
        assert.include(text, "# Lifeboats\n\nEvery")
        assert.include(text, "| Boat | Crew |\n| --- | --- |\n| Kite | four |\n| Gull | six |")
        assert.include(text, "- first item\n- second item")
        assert.include(text, "日本語のテキスト。 👩‍🚀")
        const missing = wordsOf(files.docxPlain).filter((word) => !text.includes(word))
        assert.deepStrictEqual(missing, [])
      }))

    it.effect("of PDF has the words that pdftotext reads", () =>
      Effect.gen(function*() {
        const { authors, text, title } = yield* read("a.pdf", "", files.pdf)
        assert.strictEqual(title, "Handbook of the rescue service")
        assert.deepStrictEqual(authors, ["Ada Example"])
        assert.include(text, "Every lifeboat carries a radio.")
        assert.deepStrictEqual(sorted(text), sorted(files.pdfPlain))
      }))

    it.effect("is recognized by its bytes, whatever its name", () =>
      Effect.gen(function*() {
        assert.include((yield* read("scan", "application/octet-stream", files.pdf)).text, "lifeboat")
        assert.include((yield* read("letter.txt", "text/plain", files.docx)).text, "lifeboat")
      }))

    it.effect("is read if only changes are locked, and refused if it is encrypted", () =>
      Effect.gen(function*() {
        assert.include((yield* read("a.pdf", "", files.lockedPdf)).text, "lifeboat")
        const { _tag, message } = yield* refusal("a.pdf", "", files.encryptedPdf)
        assert.strictEqual(_tag, "Unreadable")
        assert.match(message, /^The file is encrypted. Send it without a password. Supported are /)
      }))

    it.effect("is refused if it is truncated, or returns the rest", () =>
      Effect.gen(function*() {
        const docx = yield* refusal("a.docx", "", files.docx.slice(0, files.docx.length / 2))
        assert.match(docx.message, /damaged/)
        const pdf = yield* Effect.result(read("a.pdf", "", files.pdf.slice(0, 2_000)))
        assert.strictEqual(pdf._tag, "Failure")
        // Whatever was sent before, the next file is read.
        assert.include((yield* read("a.pdf", "", files.pdf)).text, "lifeboat")
      }))
  })
})
