import { setImmediate } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { ExtractLimits, layer } from "@tributary/extract/Extract"
import { Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { extent } from "../../../.ci/extent.ts"
import { read, refusal } from "./support/reading.ts"
import { drawnPdf, namedFontPdf, pdf } from "./support/pdf.ts"
import { zip } from "./support/zip.ts"

const crlf = (...lines: ReadonlyArray<string>) => lines.join("\r\n")

const MAIL = crlf(
  "From: =?utf-8?q?Ada_L=C3=B6we?= <ada@example.org>",
  "To: Bo <bo@example.org>, crew: kim@example.org;",
  "Subject: =?utf-8?b?UmFkaW8gY2hlY2sg8J+Suw==?=",
  "Date: Tue, 4 Mar 2025 09:30:00 +0100",
  "MIME-Version: 1.0",
  "Content-Type: multipart/mixed; boundary=x",
  "",
  "--x",
  "Content-Type: text/html; charset=iso-8859-1",
  "Content-Transfer-Encoding: quoted-printable",
  "",
  "<p>The radio <b>works</b> on caf=E9 boats.</p><script>alert(1)</script>",
  "--x",
  "Content-Type: text/csv; name=crew.csv",
  "Content-Disposition: attachment; filename=crew.csv",
  "",
  "boat,crew",
  "Kite,four",
  "--x",
  "Content-Type: image/png; name=photo.png",
  "Content-Disposition: attachment; filename=photo.png",
  "Content-Transfer-Encoding: base64",
  "",
  "iVBORw0KGgo=",
  "--x--",
  ""
)

const CALENDAR = crlf(
  "BEGIN:VCALENDAR",
  "VERSION:2.0",
  "X-WR-CALNAME:Rescue team",
  "BEGIN:VEVENT",
  "UID:1",
  "SUMMARY:Drill\\, all boats",
  "DTSTART;TZID=Europe/Berlin:20250304T090000",
  "DTEND;TZID=Europe/Berlin:20250304T103000",
  "LOCATION:Pier 4",
  "ORGANIZER;CN=Ada:mailto:ada@example.org",
  "ATTENDEE:mailto:bo@example.org",
  "ATTENDEE;CN=Kim:mailto:kim@example.org",
  "DESCRIPTION:Bring the radio.\\nAnd a long line that is folded over t",
  " wo lines.",
  "END:VEVENT",
  "BEGIN:VEVENT",
  "UID:2",
  "SUMMARY:Holiday",
  "DTSTART;VALUE=DATE:20251224",
  "RRULE:FREQ=YEARLY",
  "STATUS:CANCELLED",
  "END:VEVENT",
  "END:VCALENDAR",
  ""
)

const utf16 = (text: string) => Buffer.from(text, "utf16le").swap16()

const CHINESE = namedFontPdf("UniGB-UCS2-H", "GB1", utf16("救生艇的电台"))

const EVENT = /BEGIN:VEVENT[^]*?END:VEVENT\r\n/g

describe("a file of many parts", () => {
  it.layer(layer)((it) => {
    it.effect("that is a mail has sender, recipients, text and attachments", () =>
      Effect.gen(function*() {
        const mail = yield* read("mail.eml", "", MAIL)
        assert.deepStrictEqual(mail, {
          title: "Radio check 💻",
          authors: ["Ada Löwe <ada@example.org>"],
          date: new Date("2025-03-04T08:30:00.000Z"),
          text: [
            "From: Ada Löwe <ada@example.org>\nTo: Bo <bo@example.org>, crew: kim@example.org",
            "The radio works on café boats.",
            "Attachment: crew.csv",
            "boat: Kite\ncrew: four",
            "Attachment: photo.png"
          ].join("\n\n")
        })
      }))

    it.effect("that is a calendar has title, time, place and people of each event", () =>
      Effect.gen(function*() {
        const { text, title } = yield* read("team.ics", "", CALENDAR)
        assert.strictEqual(title, "Rescue team")
        assert.strictEqual(
          text,
          [
            "Drill, all boats",
            "2025-03-04 09:00 (Europe/Berlin) to 2025-03-04 10:30 (Europe/Berlin)",
            "Location: Pier 4",
            "Organizer: Ada <ada@example.org>",
            "Attendees: bo@example.org, Kim <kim@example.org>",
            "Bring the radio.",
            "And a long line that is folded over two lines.",
            "",
            "Holiday",
            "2025-12-24",
            "Cancelled",
            "Repeats: FREQ=YEARLY"
          ].join("\n")
        )
        const [, second] = CALENDAR.match(EVENT)!
        const one = yield* read("one", "application/octet-stream", CALENDAR.replace(second!, ""))
        assert.strictEqual(one.title, "Drill, all boats")
        assert.deepStrictEqual(one.authors, ["Ada <ada@example.org>"])
        const invalid = yield* read("a.ics", "", CALENDAR.replace(/DTSTART;[^:]*:[^\r\n]*/, "DTSTART:20250304T09Z"))
        assert.include(invalid.text, "Drill, all boats\n2025-03-04 10:30 (Europe/Berlin)\nLocation: Pier 4")
        assert.match(
          (yield* refusal("a.ics", "", "Dear all,\nno calendar here\n")).message,
          /^The file holds no calendar/
        )
      }))

    it.effect("that is a table has each value after its column's name", () =>
      Effect.gen(function*() {
        const text = "boat: Kite\ncrew: 4\n\nboat: Gull, the \"old\"\ncrew: 6"
        assert.deepStrictEqual(yield* read("a.csv", "", "boat,crew\r\nKite,4\r\n\"Gull, the \"\"old\"\"\",6\r\n"), {
          title: null,
          text
        })
        assert.strictEqual(
          (yield* read("a.tsv", "", "boat\tcrew\nKite\t4\n")).text,
          "boat: Kite\ncrew: 4"
        )
        assert.strictEqual(
          (yield* read("a.csv", "", "boat;crew\nKite;4\n")).text,
          "boat: Kite\ncrew: 4"
        )
        assert.strictEqual((yield* read("a.csv", "", "sep=;\r\na,b;c\r\n1;2\r\n")).text, "a,b: 1\nc: 2")
        assert.strictEqual((yield* read("a.csv", "", "1,2\n3,4\n")).text, "1\n2\n\n3\n4", "no row of names")
        assert.strictEqual(
          (yield* read("a.csv", "", "boat,crew\nKite\nGull,6,x\n")).text,
          "boat: Kite\n\nboat: Gull\ncrew: 6\nx"
        )
        for (const title of ["Boats of 2025\n\n", "Boats of 2025;;\n", "Boats of 2025\n;;\n"]) {
          const { text } = yield* read("a.csv", "", `${title}boat;crew;length\nKite;4;1,5\n`)
          assert.strictEqual(text, "Boats of 2025\n\nboat: Kite\ncrew: 4\nlength: 1,5", title)
        }
        assert.strictEqual((yield* read("a.csv", "", "boat\nKite\nGull\n")).text, "boat: Kite\n\nboat: Gull")
        assert.strictEqual((yield* read("a.csv", "", "")).text, "")
        assert.strictEqual((yield* read("a.csv", "", ",boat,crew\n0,Kite,4\n")).text, "0\nboat: Kite\ncrew: 4")
        assert.strictEqual(
          (yield* read("a.csv", "", Buffer.from("\ufeffboat\tcrew\r\nKite\t4\r\n", "utf16le"))).text,
          "boat: Kite\ncrew: 4"
        )
      }))

    it.effect("that is an encrypted mail has nothing of what is encrypted", () =>
      Effect.gen(function*() {
        const armour = "-----BEGIN PGP MESSAGE-----\r\n\r\nhIwDxE023q1UqxYBBACp70e7\r\n-----END PGP MESSAGE-----\r\n"
        const encrypted = MAIL.replace(/Content-Type: image.*?(?=--x--)/s, () =>
          `Content-Type: application/octet-stream\r\n\r\n${armour}`)
        assert.match((yield* read("mail.eml", "", encrypted)).text, /\n\nAttachment: application\/octet-stream$/)
        assert.strictEqual((yield* refusal("mail.asc", "", armour))._tag, "Unsupported")
      }))

    it.effect("that unpacks to far more than it declares is refused", () =>
      Effect.gen(function*() {
        const body = { name: "word/document.xml", content: Buffer.from("<w:document/>") }
        const bomb = zip([body, { name: "word/styles.xml", content: Buffer.alloc(101_000_000) }])
        assert.isBelow(bomb.length, 300_000)
        assert.match((yield* refusal("a.docx", "", bomb)).message, /^The file unpacks to more than 100 MB\./)
        const liar = zip([{ ...body, content: Buffer.alloc(10_000_000, 32), claimedSize: 10 }])
        assert.match((yield* refusal("a.docx", "", liar)).message, /^The file is damaged/)
        const many = zip([
          body,
          ...Array.from({ length: 5_001 }, (_, n) => ({ name: `${n}`, content: Buffer.alloc(0) }))
        ])
        assert.match((yield* refusal("a.docx", "", many)).message, /^The file holds more than 5000 parts\./)
      }))

    it.effect("that is a form has its values, but no passwords", () =>
      Effect.gen(function*() {
        const field = (name: string, value: string, rest = "") =>
          `<< /Type /Annot /Subtype /Widget /FT /Tx /T (${name}) /V (${value}) /Rect [0 0 9 9] /P 3 0 R ${rest} >>`
        const form = pdf(
          "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R 6 0 R 7 0 R] >> >>",
          "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
          "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Annots [5 0 R 6 0 R 7 0 R] >>",
          "<< /Length 0 >>\nstream\n\nendstream",
          field("boat[0]", "Kite"),
          field("crew", ""),
          field("code", "hunter2", "/Ff 8192")
        )
        assert.strictEqual((yield* read("a.pdf", "", form)).text, "boat: Kite")
      }))

    it.effect("that is a PDF has spaces and line breaks between what is drawn apart", () =>
      Effect.gen(function*() {
        const latin = (content: string) => read("a.pdf", "", drawnPdf(content, "/A /B /C /D", "20 50 Td (CD) Tj"))
        assert.strictEqual((yield* latin("20 200 Td (AB) Tj ET /X Do BT")).text, "AB\nCD")
        assert.strictEqual((yield* latin("200 50 Td (AB) Tj ET /X Do BT")).text, "AB CD")
        assert.strictEqual((yield* latin("200 50 Td (AB) Tj -150 0 Td (C) Tj")).text, "AB C")
        assert.strictEqual((yield* latin("200 50 Td (AB) Tj -40 0 Td (C) Tj")).text, "AB C")
        assert.strictEqual((yield* latin("20 200 Td (AB) Tj 6 Ts (C) Tj 0 Ts (D) Tj")).text, "ABCD")
      }))

    it.effect("that is a PDF has the numbers of notes apart from words and numbers, but not those of units", () =>
      Effect.gen(function*() {
        const raised = (number: string) => `7 Ts /F 13 Tf (${number}) Tj 0 Ts /F 20 Tf`
        const content = `20 200 Td (BCD) Tj ${raised("E")} (\\054 ) Tj (E) Tj ${raised("F")} ( C) Tj ${raised("F")}
          0 -40 Td ${raised("E")} (BC) Tj`
        const { text } = yield* read("a.pdf", "", drawnPdf(content, "/A /p /u /m /one /two"))
        assert.strictEqual(text, "pum 1, 1 2 u2\n1 pu")
      }))

    it.effect("that is a PDF has letters with the accents that are drawn over them", () =>
      Effect.gen(function*() {
        const drawn = (content: string) => read("a.pdf", "", drawnPdf(content, "/S /dieresis /o /dotlessi /acute"))
        const words = "20 200 Td (AB) Tj 13.4 0 Td (CAE) Tj 24.6 0 Td (DAB) Tj"
        assert.strictEqual((yield* drawn(words)).text, "SöSíS¨")
        assert.strictEqual(
          (yield* drawn("20 200 Td (AB) Tj 20 0 Td (C) Tj 20 0 Td (E) Tj 1 0 Td (A) Tj")).text,
          "S¨o Ś"
        )
      }))

    it.effect("that is a PDF has an empty line between paragraphs: where there is more space, and before an indented line", () =>
      Effect.gen(function*() {
        const lines = (...lines: ReadonlyArray<readonly [right: number, up: number, text: string]>) =>
          read(
            "a.pdf",
            "",
            drawnPdf(lines.map(([right, up, text]) => `${right} ${up} Td (${text}) Tj`).join(" "), "/A /B /period")
          )
        const apart = yield* lines([20, 380, "AB"], [0, -24, "A"], [0, -36, "BA"], [0, -24, "B"], [0, -24, "A"])
        assert.strictEqual(apart.text, "AB\nA\n\nBA\nB\nA")
        const indented = yield* lines([20, 380, "ABC"], [15, -24, "BA"], [-15, -24, "AA"])
        assert.strictEqual(indented.text, "AB.\n\nBA\nAA")
        // As a line of code is, within others.
        const within = yield* lines([20, 380, "AB"], [15, -24, "BA"], [-15, -24, "AA"])
        assert.strictEqual(within.text, "AB\nBA\nAA")
      }))

    it.effect("that is a PDF has words whole that the end of a line divides, and keeps hyphens that others have", () =>
      Effect.gen(function*() {
        const lines = [
          "a well-known infor-",
          "mation of well-",
          "known pumps by e-",
          "mail to Ost- und West-",
          "Berlin"
        ]
        const file = drawnPdf(`20 300 Td ${lines.map((line) => `(${line}) Tj 0 -24 Td`).join(" ")}`, "/A /B")
        assert.strictEqual(
          (yield* read("a.pdf", "", file)).text,
          "a well-known information of well-known pumps by email to Ost- und West-\nBerlin"
        )
      }))

    it.effect("that is a PDF is read from the right where the script is, however it is drawn", () =>
      Effect.gen(function*() {
        const hebrew = "/afii57664 /afii57665 /afii57666 /afii57667 /one /two"
        for (
          const content of [
            "20 200 Td (DC) Tj 90 0 Td (EF) Tj 90 0 Td (BA) Tj",
            "200 200 Td (BA) Tj -90 0 Td (EF) Tj -90 0 Td (DC) Tj"
          ]
        ) {
          assert.strictEqual(
            (yield* read("a.pdf", "", drawnPdf(content, hebrew))).text,
            "\u05d0\u05d1 12 \u05d2\u05d3",
            content
          )
        }
        const within = "20 200 Td (see ) Tj 50 0 Td (DC) Tj 50 0 Td ( ) Tj 10 0 Td (BA) Tj 50 0 Td (there) Tj"
        const { text } = yield* read("a.pdf", "", drawnPdf(within, hebrew))
        assert.strictEqual(text, "see \u05d0\u05d1 \u05d2\u05d3 there")
      }))

    it.effect("that is a PDF is read in Chinese, Japanese and Korean as well, without embedded fonts", () =>
      Effect.gen(function*() {
        for (
          const [text, file] of [
            ["救生艇的电台", CHINESE],
            ["中国", namedFontPdf("GBK-EUC-H", "GB1", Buffer.from("d6d0b9fa", "hex"))],
            ["中國", namedFontPdf("ETen-B5-H", "CNS1", Buffer.from("a4a4b0ea", "hex"))],
            ["救命艇の無線", namedFontPdf("UniJIS-UTF16-V", "Japan1", utf16("救命艇の無線"))],
            ["日本語", namedFontPdf("90ms-RKSJ-H", "Japan1", Buffer.from("93fa967b8cea", "hex"))],
            ["撹狗", namedFontPdf("Identity-H", "Japan1", Buffer.from("05a706e1", "hex"))],
            ["구명정의 무전기", namedFontPdf("UniKS-UCS2-H", "Korea1", utf16("구명정의 무전기"))],
            ["한글약", namedFontPdf("KSCms-UHC-H", "Korea1", Buffer.from("c7d1b1dbbee0", "hex"))]
          ] as const
        ) assert.strictEqual((yield* read("a.pdf", "", file)).text, text)
      }))

    it.effect("that is a Word document may have a numbered main part", () =>
      Effect.gen(function*() {
        const office = "http://schemas.openxmlformats.org"
        const main = `${office}/officeDocument/2006/relationships/officeDocument`
        const relations = `<Relationships xmlns="${office}/package/2006/relationships">
          <Relationship Id="1" Type="${main}" Target="word/document2.xml"/></Relationships>`
        const word =
          `<w:document xmlns:w="${office}/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Kite </w:t></w:r>
          <w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins><w:r><w:t>came</w:t></w:r></w:ins>
          <w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom></w:p></w:body></w:document>`
        const file = zip([
          { name: "_rels/.rels", content: Buffer.from(relations) },
          { name: "word/document2.xml", content: Buffer.from(word) }
        ])
        assert.strictEqual((yield* read("a.docx", "", file)).text, "Kite came")
      }))

    it.effect("of an unsupported kind is refused with the supported ones", () =>
      Effect.gen(function*() {
        const archive = zip([{ name: "boats.txt", content: Buffer.from("Kite") }])
        const { _tag, message } = yield* refusal("boats.zip", "", archive)
        assert.strictEqual(_tag, "Unsupported")
        assert.match(message, /PDF, DOCX, PPTX, .* EPUB, .* MHTML\.$/)
      }))
  })

  const rows = (count: number) => `a,b\n${"1,2\n".repeat(count)}`

  it.effect("that takes too long is refused, and the next one is read", () =>
    Effect.gen(function*() {
      const passing = Effect.forever(
        Effect.andThen(TestClock.adjust("3 minutes"), Effect.promise(() => setImmediate()))
      )
      const refused = yield* Effect.raceFirst(refusal("a.csv", "", rows(2_000_000)), passing)
      assert.match(refused.message, /^The file takes too long to read\./)
      assert.strictEqual((yield* read("a.csv", "", rows(1))).text, "a: 1\nb: 2")
    }).pipe(Effect.provide(limited({}))))

  it.live.runIf(process.platform === "linux")(
    "that takes too much of the processor is refused, however patient one is",
    () =>
      Effect.gen(function*() {
        assert.match((yield* refusal("a.csv", "", rows(2_000_000))).message, /^The file takes too long to read\./)
        assert.strictEqual((yield* read("a.csv", "", rows(1))).text, "a: 1\nb: 2")
      }).pipe(Effect.provide(limited({ processor: Duration.millis(400) })))
  )

  it.live.runIf(extent(false, true))("that is a PDF leaves nothing in memory", () =>
    Effect.gen(function*() {
      for (let number = 0; number < 40; number++) yield* read("a.pdf", "", CHINESE)
    }).pipe(Effect.provide(limited({ megabytes: 64 }))))

  it.live("that takes too much memory is refused, and the next one is read", () =>
    Effect.gen(function*() {
      assert.match((yield* refusal("a.csv", "", rows(2_000_000))).message, /^The file takes too much memory to read\./)
      assert.strictEqual((yield* read("a.csv", "", rows(1))).text, "a: 1\nb: 2")
    }).pipe(Effect.provide(limited({ megabytes: 40 }))))
})

function limited(limits: Partial<typeof ExtractLimits.Service>) {
  const roomy = { time: Duration.minutes(3), processor: Duration.seconds(30), megabytes: 512 }
  return Layer.provide(layer, Layer.succeed(ExtractLimits, { ...roomy, ...limits }))
}
