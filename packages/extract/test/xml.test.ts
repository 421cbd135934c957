import { assert, describe, it } from "@effect/vitest"
import { layer } from "@tributary/extract/Extract"
import { Effect } from "effect"
import { read, refusal } from "./support/reading.ts"

const xml = (content: string | Uint8Array, name = "a.xml", type = "") =>
  Effect.provide(read(name, type, content), layer)

const HEAD = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

describe("XML", () => {
  it.effect("is its texts after their names, with a paragraph for each record", () =>
    Effect.gen(function*() {
      const orders = `${HEAD}<!-- A list -->
        <o:orders xmlns:o="urn:orders" xsi:schemaLocation="urn:orders o.xsd" o:year="2026">
          <o:order number="7"><title>Bolts</title><customer>Ada &amp; Grace</customer><empty/></o:order>
          <o:order number="8"><title>Nuts</title><note><![CDATA[<urgent>]]></note></o:order>
        </o:orders>`
      assert.deepStrictEqual(yield* xml(orders), {
        title: "Bolts",
        text: "year: 2026\n\nnumber: 7\ntitle: Bolts\ncustomer: Ada & Grace\n\nnumber: 8\ntitle: Nuts\nnote: <urgent>"
      })
    }))

  it.effect("of settings has a line for each", () =>
    Effect.gen(function*() {
      const settings = "<config><host>db</host><port>1</port>\n<add key='a' value='b'/><path>/srv</path></config>"
      assert.strictEqual((yield* xml(settings)).text, "host: db\nport: 1\n\nkey: a\nvalue: b\n\npath: /srv")
    }))

  it.effect("has a text with elements in it in one line", () =>
    Effect.gen(function*() {
      const book = `<article><info><title>Pump <sub>2</sub></title></info>
        <section><title>Start</title><para id="p1">Press <b role="x">St</b>art,<br/>then
        <link href="u">wait</link>.</para><para><b>Note</b> the time.</para></section></article>`
      assert.deepStrictEqual(yield* xml(book), {
        title: "Pump 2",
        text: "title: Pump 2\n\ntitle: Start\nid: p1\npara: Press Start, then wait.\npara: Note the time."
      })
    }))

  it.effect("of a drawing is its words, and not its shapes", () =>
    Effect.gen(function*() {
      const drawing = `<svg viewBox="0 0 9 9"><style>.a{}</style><title>Valve</title><path d="M0 0L9 9"/>
        <g transform="t"><text x="1"><tspan>Inlet</tspan></text></g></svg>`
      for (const type of ["", "image/svg+xml"]) {
        assert.deepStrictEqual(yield* xml(drawing, "a.svg", type), {
          title: "Valve",
          text: "title: Valve\ntspan: Inlet"
        })
      }
    }))

  it.effect("is recognized by its name, its type or its beginning", () =>
    Effect.gen(function*() {
      const word = `${HEAD}<a>word</a>`
      for (
        const [name, type] of [
          ["a.xml", "text/plain"],
          ["a", "text/xml; charset=utf-8"],
          ["a", "application/dita+xml"],
          [
            "a.resx",
            "application/octet-stream"
          ]
        ] as const
      ) assert.strictEqual((yield* xml(word, name, type)).text, "a: word", name)
      assert.strictEqual((yield* xml(`${HEAD}<html><p>word</p></html>`, "a", "")).text, "word")
    }))

  it.effect("is decoded as it declares itself", () =>
    Effect.gen(function*() {
      const western = "<?xml version='1.0' encoding='ISO-8859-1'?><a>Gr\xfc\xdfe</a>"
      assert.strictEqual((yield* xml(Buffer.from(western, "latin1"))).text, "a: Grüße")
      const wide = Buffer.from("\ufeff<?xml version='1.0' encoding='UTF-16'?><a>Grüße</a>", "utf16le")
      assert.strictEqual((yield* xml(wide)).text, "a: Grüße")
    }))

  it.effect("expands no entities, reads no other files, and is refused without an element", () =>
    Effect.gen(function*() {
      const laughs = `<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;"><!ENTITY f SYSTEM "file:///etc/passwd">]>`
      assert.strictEqual((yield* xml(`${laughs}<a>&c; &f;</a>`)).text, "a: &c; &f;")
      const refused = yield* Effect.provide(refusal("a.xml", "", "no markup"), layer)
      assert.match(refused.message, /^The file is no XML\./)
    }))
})
