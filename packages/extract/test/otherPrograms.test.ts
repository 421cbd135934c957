// Calendars, mails and tables as calendars, newsletters and spreadsheets of others write them.
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@tributary/extract/Extract"
import { Effect } from "effect"
import { read } from "./support/reading.ts"

const crlf = (...lines: ReadonlyArray<string>): string => lines.join("\r\n")

describe("a file of another program", () => {
  it.layer(layer)((it) => {
    it.effect("that is a calendar has the last day of an event, its exceptions, and HTML as text", () =>
      Effect.gen(function*() {
        const text = crlf(
          "BEGIN:VCALENDAR",
          "VERSION:2.0",
          "BEGIN:VEVENT",
          "SUMMARY:Day off",
          "DTSTART;VALUE=DATE:20261224",
          "DTEND;VALUE=DATE:20261225",
          "END:VEVENT",
          "BEGIN:VEVENT",
          "SUMMARY:Leave",
          "DTSTART;VALUE=DATE:20261228",
          "DTEND;VALUE=DATE:20270103",
          "CATEGORIES:Absence,Crew",
          "URL:https://example.org/leave",
          "DESCRIPTION:<p>Ask <b>Bo</b>.</p><br>Or\\nKim &amp\\; Ada",
          "END:VEVENT",
          "BEGIN:VEVENT",
          "SUMMARY:Briefing",
          "DTSTART:20261201T090000",
          "DURATION:PT45M",
          "RRULE:FREQ=DAILY",
          "EXDATE:20261224T090000,20261225T090000",
          "EXDATE:never",
          "END:VEVENT",
          "BEGIN:VEVENT",
          "SUMMARY:Briefing, moved",
          "RECURRENCE-ID:20261203T090000",
          "DTSTART:20261203T110000",
          "DURATION:soon",
          "DESCRIPTION:a < b > c",
          "END:VEVENT",
          "BEGIN:VTODO",
          "SUMMARY:Taxes",
          "DUE;VALUE=DATE:20270131",
          "END:VTODO",
          "END:VCALENDAR",
          ""
        )
        assert.deepStrictEqual((yield* read("a.ics", "", text)).text.split("\n\n"), [
          "Day off\n2026-12-24",
          "Leave\n2026-12-28 to 2027-01-02\nCategories: Absence, Crew\nLink: https://example.org/leave\nAsk Bo.",
          "Or\nKim & Ada",
          "Briefing\n2026-12-01 09:00 to 2026-12-01 09:45\nRepeats: FREQ=DAILY\n" +
          "Except: 2026-12-24 09:00, 2026-12-25 09:00",
          "Briefing, moved\n2026-12-03 11:00\nInstead of: 2026-12-03 09:00\na < b > c",
          "Taxes\n2027-01-31"
        ])
      }))

    it.effect("that is a calendar is read without its invalid lines, and with text that is not folded", () =>
      Effect.gen(function*() {
        const text = crlf(
          "BEGIN:VCALENDAR",
          "BEGIN:VEVENT",
          "SUMMARY:Parade",
          "DTSTART:20261224",
          "RRULE:FREQ=WEEKLY;BYDAY=XX",
          "ATTENDEE;RSVP:mailto:ada@example.org",
          "DESCRIPTION:Bring",
          "",
          "a flag, and the radio.",
          "END:VEVENT",
          "BEGIN:VEVENT",
          "SUMMARY:Drill",
          "RRULE:FREQ=DAILY;UNTIL=soon",
          "END:VEVENT",
          "no property",
          "END:VCALENDAR",
          ""
        )
        assert.strictEqual(
          (yield* read("a.ics", "", text)).text,
          "Parade\n2026-12-24\nBring\na flag, and the radio.\n\nDrill"
        )
      }))

    it.effect("that is a calendar has characters between whose bytes a line is folded", () =>
      Effect.gen(function*() {
        const lines = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "SUMMARY:Caf\u00e9", "END:VEVENT", "END:VCALENDAR", ""]
        const folded = Buffer.from(crlf(...lines)).toString("latin1").replace("\u00c3", "\u00c3\r\n ")
        assert.strictEqual((yield* read("a.ics", "", Buffer.from(folded, "latin1"))).text, "Caf\u00e9")
      }))

    it.effect("that is a mail whose plain text only says that there is HTML has the text of that", () =>
      Effect.gen(function*() {
        const mail = (plain: string, html: string) =>
          crlf(
            "From: ada@example.org",
            "Content-Type: multipart/alternative; boundary=x",
            "",
            "--x",
            "Content-Type: text/plain",
            "",
            plain,
            "--x",
            "Content-Type: text/html",
            "",
            html,
            "--x--",
            ""
          )
        const stub = "Your program shows no HTML."
        const html =
          "<h1>Moving</h1><p>The office moves to <b>Pier 4</b> on May 5. Bring your badge, and leave the desk.</p>"
        const { text } = yield* read("a.eml", "", mail(stub, html))
        assert.strictEqual(
          text,
          "From: ada@example.org\n\n# Moving\n\nThe office moves to Pier 4 on May 5. Bring your badge, and leave the desk."
        )
        const plain = "The office moves to Pier 4 on May 5. Bring your badge."
        assert.strictEqual((yield* read("a.eml", "", mail(plain, html))).text, `From: ada@example.org\n\n${plain}`)
      }))

    it.effect("that is a table has names above columns of numbers, also years and a name twice", () =>
      Effect.gen(function*() {
        assert.strictEqual(
          (yield* read("a.csv", "", "id,name,name,2025\n7,Ada,Löwe,3\n8,Bo,,4\n")).text,
          "id: 7\nname: Ada\nname: Löwe\n2025: 3\n\nid: 8\nname: Bo\n2025: 4"
        )
        assert.strictEqual((yield* read("a.csv", "", "Kite,5\nGull,7\n")).text, "Kite\n5\n\nGull\n7")
      }))

    it.effect("that is a table has years for names, too, but not above other years", () =>
      Effect.gen(function*() {
        assert.strictEqual(
          (yield* read("a.csv", "", "Region,2023,2024\nNorth,10,12\nSouth,n/a,1950\nWest,8,9\n")).text,
          "Region: North\n2023: 10\n2024: 12\n\nRegion: South\n2023: n/a\n2024: 1950\n\nRegion: West\n2023: 8\n2024: 9"
        )
        assert.strictEqual((yield* read("a.csv", "", "Region,2023\nNorth,10\n")).text, "Region: North\n2023: 10")
        assert.strictEqual((yield* read("a.csv", "", ",2023\nNorth,10\n")).text, "North\n2023: 10")
        for (
          const rows of [["Dune,1965", "Emma,1815", "Ulysses,1922"], ["Kite,5000", "Gull,7"], ["2023,2024", "10,12"]]
        ) {
          const text = rows.map((row) => row.replace(",", "\n")).join("\n\n")
          assert.strictEqual((yield* read("a.csv", "", rows.join("\n"))).text, text)
        }
      }))

    it.effect.each<readonly [charset: string, bytes: string, text: string]>([
      ["iso-8859-1", "Gr\xfc\xdfe", "\n\nGrüße"],
      ["iso-2022-jp", "\u001b$BF|K\\\u001b(B", "\n\n日本"],
      ["unknown-8bit", "\xff", ""]
    ])(
      "that is a mail has attached texts in the charset that they declare: %s",
      ([charset, attached, text]) =>
        Effect.gen(function*() {
          const source = crlf(
            "From: ada@example.org",
            "Content-Type: multipart/mixed; boundary=b",
            "",
            "--b",
            "",
            "See below.",
            "--b",
            `Content-Type: text/plain; charset=${charset}; name=a.txt`,
            "Content-Disposition: attachment",
            "",
            attached,
            "--b--",
            ""
          )
          assert.strictEqual(
            (yield* read("a.eml", "", Buffer.from(source, "latin1"))).text.trimEnd(),
            `From: ada@example.org\n\nSee below.\n\nAttachment: a.txt${text}`
          )
        })
    )

    it.effect("that is a mail without a charset is read as mail programs show it", () =>
      Effect.gen(function*() {
        const source = "From: ada@example.org\r\nSubject: Gr\xfc\xdfe\r\n\r\n\x93Gr\xfc\xdfe\x94\r\n"
        const { text, title } = yield* read("a.eml", "", Buffer.from(source, "latin1"))
        assert.strictEqual(title, "Grüße")
        assert.include(text, "“Grüße”")
      }))

    it.effect("that is a page as browsers save it has its text and that of its frames, and is titled by it", () =>
      Effect.gen(function*() {
        const part = (
          type: string,
          ...lines: ReadonlyArray<string>
        ) => ["--b", `Content-Type: ${type}`, "Content-Transfer-Encoding: quoted-printable", "", ...lines]
        const saved = (...page: ReadonlyArray<string>) =>
          crlf(
            "From: <Saved by Blink>",
            "Snapshot-Content-Location: https://example.org/pump",
            "Subject: =?utf-8?Q?Gr=C3=B6=C3=9Fe?=",
            "Content-Type: multipart/related;",
            "\ttype=\"text/html\";",
            "\tboundary=\"b\"",
            "",
            "",
            ...part("text/html", ...page),
            ...part("text/css", "p { color: red; }"),
            ...part("text/html", "<p>A =", "frame.</p>"),
            "--b--"
          )
        const page = saved(
          "<title>Die Gr=C3=B6=C3=9Fe</title><h1>Pumpe</h1><p>Sie z=C3=A4hlt.</p><iframe src=3Dcid:f></iframe>"
        )
        const saidBy = yield* read("a.mhtml", "", page)
        assert.deepStrictEqual(saidBy, { title: "Die Größe", text: "# Pumpe\n\nSie zählt.\n\nA frame." })
        assert.strictEqual((yield* read("a.mht", "", saved("<p>Sie"))).title, "Größe")
        assert.strictEqual((yield* read("a", "multipart/related", page)).text, saidBy.text)
        assert.strictEqual((yield* read("a.mhtml", "", "")).text, "")
      }))

    it.effect.each<readonly [written: string, date: string | undefined]>([
      ["Mon, 2 Mar 2026 10:00:00 +0100 (CET)", "2026-03-02T09:00:00.000Z"],
      ["Mon, 2 Mar 2026 10:00:00 MEZ", "2026-03-02T10:00:00.000Z"],
      ["Mon, 2 Mar 2026 10:00:00", "2026-03-02T10:00:00.000Z"],
      ["Fri, 1 Jan 275000 10:00:00 +0000", undefined],
      ["soon", undefined]
    ])("that is a mail is dated like one of a mailbox: %s", ([written, date]) =>
      Effect.gen(function*() {
        const mail = yield* read("a.eml", "", `Date: ${written}\r\n\r\nHi`)
        assert.strictEqual(mail.date?.toISOString(), date)
      }))

    it.effect("that is a mail has the mails that are attached to it, and their attachments, to a limit", () =>
      Effect.gen(function*() {
        const wrapped = (inner: string, depth: number) =>
          `From: ada@example.org\r\nSubject: Boat ${depth}\r\nContent-Type: multipart/mixed; boundary=b${depth}\r\n\r\n` +
          `--b${depth}\r\n\r\nText ${depth}\r\n--b${depth}\r\nContent-Type: message/rfc822\r\n` +
          `Content-Disposition: attachment; filename=${depth}.eml\r\n\r\n${inner}\r\n--b${depth}--\r\n`
        const nested = (depths: number) =>
          Array.from({ length: depths }).reduce(
            (mail: string, _, depth) => wrapped(mail, depth),
            "Subject: Core\r\n\r\nThe end."
          )
        assert.strictEqual(
          (yield* read("a.eml", "", nested(1))).text,
          "From: ada@example.org\n\nText 0\n\nAttachment: 0.eml\n\nSubject: Core\nThe end."
        )
        const { text } = yield* read("a.eml", "", nested(2))
        assert.include(
          text,
          "Attachment: 1.eml\n\nSubject: Boat 0\nFrom: ada@example.org\n\nText 0\n\nAttachment: 0.eml\n\n"
        )
        const deep = (yield* read("a.eml", "", nested(500))).text
        assert.include(deep, "Text 496\n\nAttachment: 496.eml")
        assert.notInclude(deep, "Text 495")
      }))

    it.effect.each<readonly [file: string, rows: ReadonlyArray<string>]>([
      ["boat,crew\r\nKite,4\nGull,6\r\n", ["boat: Kite\ncrew: 4", "boat: Gull\ncrew: 6"]],
      ["boat,crew\nKite,4\r\nGull,6", ["boat: Kite\ncrew: 4", "boat: Gull\ncrew: 6"]],
      ["boat,crew\rKite,4\r", ["boat: Kite\ncrew: 4"]],
      ["Crews, by boat\n\nboat;crew\nKite;4,5\n", ["Crews, by boat", "boat: Kite\ncrew: 4,5"]],
      ["id, boat, crew\n1, \"Kite, red\", \"four\"\n", ["id: 1\nboat: Kite, red\ncrew: four"]],
      ["id\tboat\tcrew\n1\t\t4\n", ["id: 1\ncrew: 4"]]
    ])(
      "that is a table has its rows and columns, whatever ends and separates them: %j",
      ([file, rows]) =>
        Effect.gen(function*() {
          assert.deepStrictEqual((yield* read("a.csv", "", file)).text.split("\n\n"), rows)
        })
    )

    it.effect("that is a table keeps a quote that is never closed", () =>
      Effect.gen(function*() {
        const text = "name\tsays\nAda\t\"aye\nBo\tno 'thanks'\n"
        assert.strictEqual(
          (yield* read("a.tsv", "", text)).text,
          "name: Ada\nsays: \"aye\n\nname: Bo\nsays: no 'thanks'"
        )
      }))
  })
})
