import { assert, describe, it } from "@effect/vitest"
import { TextExtractor } from "@tributary/core/ports/TextExtractor"
import { layer } from "@tributary/extract/Extract"
import { Effect } from "effect"
import { read, refusal } from "./support/reading.ts"

const reading = (...[name, type, content]: Parameters<typeof read>) => Effect.provide(read(name, type, content), layer)

const refusing = (...[name, type, content]: Parameters<typeof read>) =>
  Effect.provide(refusal(name, type, content), layer)

describe("a file", () => {
  it.effect("of plain text is kept to the letter, but for a byte order mark", () =>
    Effect.gen(function*() {
      const text = "Line one\r\n\tline two  \n\n"
      assert.deepStrictEqual(yield* reading("notes.txt", "text/plain; charset=utf-8", text), { title: null, text })
      assert.deepStrictEqual(yield* reading("notes.txt", "", `\ufeff${text}`), { title: null, text })
      assert.deepStrictEqual(yield* reading("empty.txt", "text/plain", ""), { title: null, text: "" })
    }))

  it.effect("of Markdown keeps its marks and is titled by its first heading", () =>
    Effect.gen(function*() {
      const text = "---\ntitle: x\n---\n```sh\n# no heading\n```\n\n## The *pump* `P-1` ##\n\nIt pumps.\n"
      assert.deepStrictEqual(yield* reading("README.md", "", text), { title: "The pump P-1", text })
      assert.strictEqual((yield* reading("a.markdown", "", "Manual\n======\nText")).title, "Manual")
      assert.strictEqual((yield* reading("a.md", "", "# [Docs](https://example.org)")).title, "Docs")
      assert.isNull((yield* reading("a.md", "", "- item\n---\nno heading\n#hash")).title)
    }))

  it.effect("of HTML is read", () =>
    Effect.gen(function*() {
      const page = "<html><title>T</title><p>Text"
      assert.deepStrictEqual(yield* reading("page.htm", "", page), { title: "T", text: "Text" })
      assert.deepStrictEqual(yield* reading("page", "TEXT/HTML; charset=utf-8", page), { title: "T", text: "Text" })
      assert.deepStrictEqual(yield* reading("page", "application/octet-stream", page), { title: "T", text: "Text" })
    }))

  it.effect("of JSON becomes its strings behind their keys", () =>
    Effect.gen(function*() {
      const json = JSON.stringify({
        title: "Order 7",
        customer: { name: "Ada", vip: true },
        items: ["bolt", "nut"],
        n: 3
      })
      assert.deepStrictEqual(yield* reading("order.json", "", json), {
        title: "Order 7",
        text: "title: Order 7\nname: Ada\nitems: bolt\nnut"
      })
      assert.deepStrictEqual(yield* reading("x", "application/json", "\"word\""), { title: null, text: "word" })
    }))

  it.effect("is judged by its bytes before its name", () =>
    Effect.gen(function*() {
      for (const bytes of ["PK\x03\x04rest", "{\\rtf1 x}"]) {
        const error = yield* refusing("honest.txt", "text/plain", bytes)
        assert.strictEqual(error._tag, "Unsupported")
        assert.match(error.message, /plain text, Markdown, HTML, JSON and CSV/)
      }
    }))

  it.effect("of another format is refused with the names of those that are read", () =>
    Effect.gen(function*() {
      for (
        const [name, type] of [["a.xlsx", "text/csv"], ["a.odt", "text/plain"], ["a.bin", "image/webp"], [
          "a.docx",
          ""
        ]] as const
      ) {
        const error = yield* refusing(name, type, "a,b\n1,2\n")
        assert.strictEqual(error._tag, "Unsupported", name)
        assert.match(error.message, /Supported are plain text, Markdown, HTML, JSON and CSV/)
      }
    }))

  it.effect("that is no sound text is refused with the reason", () =>
    Effect.gen(function*() {
      const latin1 = yield* refusing("a.txt", "text/plain", new Uint8Array([0x4a, 0x6f, 0xeb, 0x6c]))
      assert.strictEqual(latin1._tag, "Unreadable")
      assert.match(latin1.message, /not valid UTF-8/)
      assert.match((yield* refusing("a.txt", "", new Uint8Array([0xff, 0xfe, 0x41, 0x00]))).message, /UTF-16/)
      assert.match((yield* refusing("a.txt", "", "a\u0000b")).message, /NUL/)
      const broken = yield* refusing("a.json", "application/json", "{\"a\":")
      assert.strictEqual(broken._tag, "Unreadable")
      assert.match(broken.message, /not valid JSON/)
    }))

  it.effect("of JSON that nests without end is read or refused, and nothing breaks", () =>
    Effect.gen(function*() {
      const depth = 100_000
      const result = yield* Effect.result(reading("deep.json", "", "[".repeat(depth) + "\"core\"" + "]".repeat(depth)))
      assert.isTrue(result._tag === "Failure" ? result.failure._tag === "Unreadable" : result.success.text === "core")
    }))
})

describe("a marked-up string", () => {
  it.effect("of plain text is its own text", () =>
    Effect.gen(function*() {
      const extractor = yield* TextExtractor
      assert.deepStrictEqual(yield* extractor.fromMarkup("<b>&amp; # x", "text/plain"), {
        title: null,
        text: "<b>&amp; # x"
      })
    }).pipe(Effect.provide(layer)))
})
