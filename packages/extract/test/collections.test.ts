// Contacts, mailboxes in one file and notebooks, as several programs write them.
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@tributary/extract/Extract"
import { Effect } from "effect"
import { read, refusal } from "./support/reading.ts"

const lines = (...all: ReadonlyArray<string>) => all.join("\r\n")

describe("contacts", () => {
  it.layer(layer)((it) => {
    it.effect("have a paragraph each, with labels, and without pictures and what programs need", () =>
      Effect.gen(function*() {
        const ada = lines(
          "BEGIN:VCARD",
          "VERSION:3.0",
          "UID:1",
          "N:Löwe;Ada;;;",
          "FN:Ada Löwe",
          "ORG:Rescue service;Radios",
          "item1.TEL;TYPE=WORK,VOICE:+49 30 1234",
          "EMAIL;type=INTERNET;type=HOME:ada@example.org",
          "ADR;TYPE=home:;;Pier 4\\, left;Kiel;;24103;",
          "NOTE:Knows the key.\\nAsk fi",
          " rst.",
          "PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRg",
          " ABQSkZJRg",
          "END:VCARD"
        )
        const old = lines(
          "BEGIN:VCARD",
          "VERSION:2.1",
          "N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Gr=FCn;Bo",
          "TEL;CELL:123",
          "NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Caf=C3=A9 =",
          "on the pier",
          "END:VCARD",
          ""
        )
        const one = yield* read("ada.vcf", "", ada)
        assert.strictEqual(one.title, "Ada Löwe")
        const { text, title } = yield* read("all.vcf", "text/x-vcard", `${ada}\r\n${old}`)
        assert.isNull(title)
        assert.strictEqual(
          text,
          [
            "Ada Löwe\nOrganization: Rescue service, Radios\nPhone (work): +49 30 1234\nEmail (home): ada@example.org\n" +
            "Address (home): Pier 4, left, Kiel, 24103\nNote: Knows the key.\nAsk first.",
            "Bo Grün\nPhone (cell): 123\nNote: Café on the pier"
          ].join("\n\n")
        )
        assert.match((yield* refusal("a.vcf", "", "nothing")).message, /holds no contact/)
      }))

    it.effect("in a file that never ends a line take little time", () =>
      Effect.gen(function*() {
        for (const piece of ["A=\r\n", "\"", ";A", "A:"]) {
          const hostile = `BEGIN:VCARD\r\nNOTE;QUOTED-PRINTABLE${piece.repeat(1_000_000)}`
          yield* Effect.ignore(read("a.vcf", "", hostile))
        }
        assert.include((yield* read("a.vcf", "", "BEGIN:VCARD\nFN:Ada\nEND:VCARD\n")).text, "Ada")
      }))
  })
})

describe("a mailbox in one file", () => {
  it.layer(layer)((it) => {
    it.effect("has all its mails, with their subjects and dates", () =>
      Effect.gen(function*() {
        const mail = (subject: string, body: string) =>
          `Subject: ${subject}\nFrom: ada@example.org\nDate: Tue, 4 Mar 2025 09:30:00 +0100\n` +
          `Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${body}\n\n`
        const box =
          `From ada@example.org Tue Mar  4 09:30:00 2025\n${mail("Keys", "Locker 7 🚣.\n>From here on, left.")}` +
          `From bo@example.org Wed Mar  5 09:30:00 2025 +0100\n${mail("Boats", "From Kiel, two boats.")}`
        const { text } = yield* read("inbox.mbox", "", box)
        const heads = "\nDate: 2025-03-04T08:30:00.000Z\nFrom: ada@example.org\n\n"
        assert.strictEqual(
          text,
          `Subject: Keys${heads}Locker 7 🚣.\nFrom here on, left.\n\nSubject: Boats${heads}From Kiel, two boats.`
        )
      }))
  })
})

describe("a notebook", () => {
  it.layer(layer)((it) => {
    it.effect("has its text, code and results in their order, without pictures", () =>
      Effect.gen(function*() {
        const notebook = {
          metadata: { language_info: { name: "python" } },
          cells: [
            { cell_type: "markdown", source: ["# Boats\n", "\n", "All of them."] },
            {
              cell_type: "code",
              source: "print(\"```\")",
              outputs: [{ output_type: "stream", text: ["```\n"] }, {
                data: { "image/png": "iVBORw0KGgo=", "text/plain": ["<Figure>"] }
              }]
            },
            { cell_type: "code", source: [], outputs: [] }
          ]
        }
        const { text, title } = yield* read("boats.ipynb", "", JSON.stringify(notebook))
        assert.strictEqual(title, "Boats")
        assert.strictEqual(
          text,
          "# Boats\n\nAll of them.\n\n````python\nprint(\"```\")\n````\n\n````\n```\n````\n\n```\n<Figure>\n```"
        )
        assert.strictEqual((yield* read("a.ipynb", "", "{\"note\": \"no cells\"}")).text, "note: no cells")
        assert.match((yield* refusal("a.ipynb", "", "{")).message, /not valid JSON/)
      }))
  })
})
