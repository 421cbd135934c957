import { assert, describe, it } from "@effect/vitest"
import { TextExtractor } from "@tributary/core/ports/TextExtractor"
import { ExtractLimits, layer } from "@tributary/extract/Extract"
import { Duration, Effect, Layer } from "effect"
import { read, refusal } from "./support/reading.ts"

const reading = (...[name, type, content]: Parameters<typeof read>) => Effect.provide(read(name, type, content), layer)

const refusing = (...[name, type, content]: Parameters<typeof read>) =>
  Effect.provide(refusal(name, type, content), layer)

const briefly = Layer.provide(
  layer,
  Layer.succeed(ExtractLimits, {
    time: Duration.seconds(1),
    processor: Duration.seconds(30),
    megabytes: 64
  })
)

describe("a file", () => {
  it.effect("of plain text is kept verbatim, except for a byte order mark", () =>
    Effect.gen(function*() {
      const text = "Line one\r\n\tline two  \n\n"
      assert.deepStrictEqual(yield* reading("notes.txt", "text/plain; charset=utf-8", text), { title: null, text })
      assert.deepStrictEqual(yield* reading("notes.txt", "", `\ufeff${text}`), { title: null, text })
      assert.deepStrictEqual(yield* reading("empty.txt", "text/plain", ""), { title: null, text: "" })
    }))

  it.effect.each([
    "{\n  // Where the build goes.\n  \"outDir\": \"dist\", /* \"relative\" */\n}",
    "[\"a // no comment\", \"b\\\"/*\",/* one */ // two\n]",
    "/* ** / */ {\"a\": 1, }"
  ])("of JSON with comments is kept as it is: %j", (text) =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* reading("settings.json", "", text), { title: null, text })
      const broken = yield* refusing("settings.json", "", text.slice(0, -1))
      assert.match(broken.message, /not valid JSON/)
    }))

  it.effect.each<readonly [name: string, contentType: string, bytes: string]>([
    ["a.txt", "text/plain; charset=iso-8859-1", "Gr\xfc\xdfe"],
    ["a.txt", "text/plain;format=flowed; CharSet=\"ISO-8859-1\"", "Gr\xfc\xdfe"],
    ["a.txt", "text/plain; charset=iso-8859-1", "Gr\xc3\xbc\xc3\x9fe"],
    ["a.html", "text/html; charset=iso-8859-1", "<meta charset=utf-8><p>Gr\xfc\xdfe"],
    ["a.csv", "text/csv; charset=windows-1252", "Gr\xfc\xdfe\n"],
    [
      "a.ics",
      "text/calendar; charset=cp1252",
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Gr\xfc\xdfe\nEND:VEVENT\nEND:VCALENDAR"
    ],
    ["a.txt", "text/plain; charset=utf-16le", "G\0r\0\xfc\0\xdf\0e\0"],
    ["a.txt", "text/plain; charset=utf-16", "Gr\xc3\xbc\xc3\x9fe"],
    ["a.txt", "text/plain; charset=iso-2022-jp", "\x1b$B%0%j%e!<%9\x1b(B"]
  ])("%s as %s is decoded as its sender declares", ([name, contentType, bytes]) =>
    Effect.gen(function*() {
      const { text } = yield* reading(name, contentType, Buffer.from(bytes, "latin1"))
      assert.strictEqual(text.trim(), contentType.includes("2022") ? "グリュース" : "Grüße")
    }))

  it.effect("of plain text in another charset than its sender declares, or in an unknown one, is refused", () =>
    Effect.gen(function*() {
      const bytes = Buffer.from("Gr\xfc\xdfe", "latin1")
      for (const charset of ["shift_jis", "x-unknown"]) {
        assert.include((yield* refusing("a.txt", `text/plain; charset=${charset}`, bytes)).message, "not valid UTF-8")
      }
    }))

  it.effect.each<readonly [name: string, contentType: string, bytes: string, text: string]>([
    ["a.txt", "", "Gr\xfc\xdfe", "Grüße"],
    ["a.log", "application/octet-stream", "The price is \x80 5.\r\n\x1b[0m\x1a", "The price is € 5.\r\n\x1b[0m\x1a"],
    ["a.md", "text/markdown; charset=utf-8", "# Gr\xfc\xdfe", "# Grüße"],
    ["a.csv", "text/csv", "Gr\xfc\xdfe\n", "Grüße"],
    ["a.json", "", `{"a": "Gr\xfc\xdfe"}`, "a: Grüße"],
    ["a.html", "", "<meta charset=utf-8><p>Gr\xfc\xdfe", "Grüße"]
  ])(
    "%s as \"%s\" that is not UTF-8 and declares nothing else is read as windows-1252: %j",
    ([name, type, bytes, text]) =>
      Effect.gen(function*() {
        assert.strictEqual((yield* reading(name, type, Buffer.from(bytes, "latin1"))).text, text)
        const large = Buffer.from(`${"word ".repeat(60_000)}\n${bytes}`, "latin1")
        if (type === "" && name === "a.txt") assert.include((yield* reading(name, type, large)).text, text)
      })
  )

  it.effect.each<readonly [string, Uint8Array]>([
    ["Russian in windows-1251", Buffer.from("\xcf\xf0\xe8\xe2\xe5\xf2, Ada", "latin1")],
    ["Chinese in GBK", Buffer.from("\xc4\xe3\xba\xc3\xca\xc0\xbd\xe7 ok", "latin1")],
    ["Japanese in Shift_JIS", Buffer.from("\x83O\x83\x8a\x83\x85\x81[\x83X letters of no meaning", "latin1")],
    ["a program", Buffer.from([...Buffer.from("some letters of no meaning"), 0xeb, 0x01, 0x02])],
    ["UTF-16 with half a character", new Uint8Array([0xff, 0xfe, 0x41])]
  ])("of %s is not taken for windows-1252", ([, bytes]) =>
    Effect.gen(function*() {
      const refused = yield* refusing("a.txt", "", bytes)
      assert.strictEqual(refused._tag, "Unreadable")
      assert.match(refused.message, /not valid UTF-8, and its encoding is not known/)
    }))

  it.effect("of Markdown keeps its markup and is titled by its first heading", () =>
    Effect.gen(function*() {
      const text = "---\ntitle: x\n---\n```sh\n# no heading\n```\n\n## The *pump* `P-1` ##\n\nIt pumps.\n"
      assert.deepStrictEqual(yield* reading("README.md", "", text.replace("title: x\n", "")), {
        title: "The pump P-1",
        text: text.replace("title: x\n", "")
      })
      assert.strictEqual((yield* reading("a.markdown", "", "Manual\n======\nText")).title, "Manual")
      assert.strictEqual((yield* reading("a.md", "", "# [Docs](https://example.org)")).title, "Docs")
      assert.isNull((yield* reading("a.md", "", `${"\n".repeat(10_000)}# Far below`)).title)
      assert.isNull((yield* reading("a.md", "", "- item\n---\nno heading\n#hash")).title)
    }))

  it.effect.each<readonly [text: string, title: string]>([
    ["<h1 align=\"center\">Pump &amp; <em>control</em></h1>\n\n## Usage", "Pump & control"],
    ["<div><h1>\n  <img src=a.png>\n  <a href=/>Pump</a>\n</h1></div>", "Pump"],
    ["<h1><img src=a.png></h1>\n\n# Pump", "Pump"],
    ["<p><h2>Pump</h2>", "Pump"],
    ["# <img src=a.png/> Pump<br> for `List<T>` <sup>2</sup>", "Pump for List<T> 2"],
    ["```\n<h1>Code</h1>\n```\n# Pump", "Pump"],
    [`<h1>never closed\n${"x\n".repeat(3_000)}# Pump`, "Pump"]
  ])("of Markdown may have its title in HTML: %j", ([text, title]) =>
    Effect.gen(function*() {
      assert.strictEqual((yield* reading("a.md", "", text)).title, title)
    }))

  it.effect("of Markdown with title, authors and date at the start has these, and keeps them", () =>
    Effect.gen(function*() {
      const front = (...lines: ReadonlyArray<string>) => ["---", ...lines, "---", "", "# Heading", "Text"].join("\n")
      const whole = front("title: 'The pump: P-1'", "tags:", "- no name", "Date: 2025-03-04 09:30", "author: Ada Löwe")
      assert.deepStrictEqual(yield* reading("a.md", "", whole), {
        title: "The pump: P-1",
        text: whole,
        authors: ["Ada Löwe"],
        date: new Date("2025-03-04T09:30:00Z")
      })
      const listed = yield* reading("a.md", "", front("authors:", "  - Ada", "  - \"Bo\"", "date: soon"))
      assert.deepInclude(listed, { title: "Heading", authors: ["Ada", "Bo"] })
      assert.notProperty(listed, "date")
      assert.deepStrictEqual((yield* reading("a.md", "", front("author: [Ada, Bo]"))).authors, ["Ada", "Bo"])
      assert.strictEqual((yield* reading("a.md", "", "---\ntitle: never closed")).title, "never closed")
      const described = front("author:", "  - name: Ada", "    email: ada@example.org", "  - name: \"Bo\"", "tags: x")
      assert.deepStrictEqual((yield* reading("a.md", "", described)).authors, ["Ada", "Bo"])
      assert.deepStrictEqual((yield* reading("a.md", "", front("author:", "  name: Ada"))).authors, ["Ada"])
      const toml = yield* reading(
        "a.md",
        "",
        "+++\ntitle = \"Pump\"\nauthors = ['Ada']\ndate = 2026-01-05\n+++\n# No title"
      )
      assert.deepInclude(toml, { title: "Pump", authors: ["Ada"], date: new Date("2026-01-05") })
      assert.strictEqual((yield* reading("a.md", "", "Text\n---\ntitle: x\n---\n")).title, "Text")
    }))

  it.effect("of HTML is read", () =>
    Effect.gen(function*() {
      const page = "<html><title>T</title><p>Text"
      assert.deepStrictEqual(yield* reading("page.htm", "", page), { title: "T", text: "Text" })
      assert.deepStrictEqual(yield* reading("page", "TEXT/HTML; charset=utf-8", page), { title: "T", text: "Text" })
      assert.deepStrictEqual(yield* reading("page", "application/octet-stream", page), { title: "T", text: "Text" })
    }))

  it.effect("of JSON becomes its strings after their keys", () =>
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

  it.effect("of JSON lines has a paragraph for each", () =>
    Effect.gen(function*() {
      const lines = "{\"q\":\"Who?\",\"a\":\"Jo\\u00ebl\"}\r\n\n{\"q\":\"When?\"}\n"
      const expected = { title: null, text: "q: Who?\na: Joël\n\nq: When?" }
      for (const name of ["a.jsonl", "a.ndjson", "a.json"]) {
        assert.deepStrictEqual(yield* reading(name, "application/octet-stream", lines), expected)
      }
      assert.deepStrictEqual(yield* reading("a", "application/x-ndjson", lines), expected)
      assert.strictEqual((yield* refusing("a.jsonl", "", `${lines}{"q":`))._tag, "Unreadable")
    }))

  it.effect("of source code or settings is plain text, whatever a browser calls it", () =>
    Effect.gen(function*() {
      const code = "const a = { b: \"<p>\" }\n"
      for (
        const [name, type] of [
          ["a.js", "text/javascript"],
          ["a.ts", "video/mp2t"],
          ["a.py", "text/x-python"],
          ["a.yaml", "application/yaml"],
          ["a.sh", "application/x-shellscript"],
          ["a.rst", "text/x-rst"],
          ["a.tex", "application/x-tex"],
          ["a.srt", "application/x-subrip"]
        ] as const
      ) assert.deepStrictEqual(yield* reading(name, type, code), { title: null, text: code }, name)
      for (const type of ["text/rtf", "video/mp2t"]) {
        assert.strictEqual((yield* refusing("a", type, code))._tag, "Unsupported", type)
      }
    }))

  it.effect("is recognized by its bytes before its name", () =>
    Effect.gen(function*() {
      for (const bytes of ["PK\x03\x04rest", "GIF89a"]) {
        const error = yield* refusing("honest.txt", "text/plain", bytes)
        assert.strictEqual(error._tag, "Unsupported")
        assert.match(error.message, /plain text, Markdown, HTML, XML, JSON and CSV/)
      }
    }))

  it.effect("is decoded by its byte order mark, or by its declared encoding if it is not UTF-8", () =>
    Effect.gen(function*() {
      const little = Buffer.from("\ufeffJoël 💻", "utf16le")
      assert.strictEqual((yield* reading("a.txt", "", little)).text, "Joël 💻")
      assert.strictEqual((yield* reading("a.txt", "", Buffer.from(little).swap16())).text, "Joël 💻")
      const declarations = [
        "<meta charset=\"iso-8859-1\">",
        "<META http-equiv=Content-Type content='text/html; charset=windows-1252'>",
        "<?xml version='1.0' encoding='ISO-8859-15'?>"
      ]
      for (const declaration of declarations) {
        const page = `${declaration}<p>Joël`
        assert.strictEqual((yield* reading("a.html", "", Buffer.from(page, "latin1"))).text, "Joël", declaration)
        assert.strictEqual((yield* reading("a.html", "", page)).text, "Joël", "it is UTF-8, whatever it declares")
      }
      const japanese = Buffer.from("<meta charset=ISO-2022-JP><p>\u001b$BF|K\\\u001b(B", "latin1")
      assert.strictEqual((yield* reading("a.html", "", japanese)).text, "日本")
      assert.match(
        (yield* refusing("a.html", "", Buffer.from("<meta charset=nonsense><p>Joël", "latin1"))).message,
        /not valid UTF-8/
      )
    }))

  it.effect.each<readonly [declaration: string, text: string | null]>([
    ["<!-- <meta charset=koi8-r> --><meta charset=iso-8859-1>", "Größe"],
    ["<meta charset=\" iso-8859-1 \">", "Größe"],
    [`<!--${"-".repeat(2_000)}--><meta charset=iso-8859-1>`, "Größe"],
    ["<meta charset=utf-8>", "Größe"],
    ["<meta charset=x-unknown>", null],
    [`<meta charset=utf-8>${"<!-- long -->".repeat(300)}`, "Gr\ufffd\ufffde"]
  ])(
    "is decoded as a browser would, unless much of it is invalid: %s",
    ([declaration, text]) =>
      Effect.gen(function*() {
        const page = Buffer.from(`${declaration}<p>Gr\xf6\xdfe`, "latin1")
        const result = yield* Effect.result(reading("a.html", "", page))
        assert.strictEqual(result._tag === "Success" ? result.success.text : null, text)
      })
  )

  it.effect("that only mentions another format is what its name says", () =>
    Effect.gen(function*() {
      const text = "A PDF begins with `%PDF-1.7`."
      assert.strictEqual((yield* reading("formats.md", "", text)).text, text)
      assert.match((yield* refusing("scan.pdf", "", text)).message, /^The file is damaged/)
    }))

  it.effect("that is large is read in a process, with the same result", () =>
    Effect.gen(function*() {
      const words = "word ".repeat(100_000)
      assert.strictEqual((yield* reading("a.html", "", `<title>T</title><p>${words}`)).text, words.trim())
      assert.deepStrictEqual(yield* reading("a.json", "", JSON.stringify({ title: "T", words })), {
        title: "T",
        text: `title: T\nwords: ${words}`
      })
      assert.match((yield* refusing("a.json", "", `{"a": "${words}`)).message, /not valid JSON/)
    }))

  it.live("that is text with too many parts is refused", () =>
    Effect.gen(function*() {
      for (
        const [name, text] of [["a.html", "<b>x".repeat(4_000_000)], [
          "a.json",
          `[${"[],".repeat(5_000_000)}1]`
        ]] as const
      ) {
        assert.match((yield* refusal(name, "", text)).message, /^The file takes too (long|much memory) to read\./)
      }
    }).pipe(Effect.provide(briefly)))

  it.effect("of another format is refused with the supported ones", () =>
    Effect.gen(function*() {
      for (
        const [name, type] of [["a.xlsx", "text/csv"], ["a.odt", "text/plain"], ["a.bin", "image/webp"], [
          "a.docx",
          ""
        ]] as const
      ) {
        const error = yield* refusing(name, type, "a,b\n1,2\n")
        assert.strictEqual(error._tag, "Unsupported", name)
        assert.match(error.message, /Supported are plain text, Markdown, HTML, XML, JSON and CSV/)
      }
    }))

  it.effect("that is invalid text is refused with the reason", () =>
    Effect.gen(function*() {
      assert.match((yield* refusing("a.txt", "", "a\u0000b")).message, /NUL/)
      const broken = yield* refusing("a.json", "application/json", "{\"a\":")
      assert.strictEqual(broken._tag, "Unreadable")
      assert.match(broken.message, /not valid JSON/)
    }))

  it.effect("of deeply nested JSON is read or refused, without a crash", () =>
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

  it.effect("of HTML that is large is read in a process, with the same result", () =>
    Effect.gen(function*() {
      const extractor = yield* TextExtractor
      const words = "Größe 😀 ".repeat(50_000)
      const page = `<title>T</title><meta name="author" content="Ada"><p>${words}`
      assert.deepStrictEqual(yield* extractor.fromMarkup(page, "text/html"), {
        title: "T",
        text: words.trim(),
        authors: ["Ada"]
      })
    }).pipe(Effect.provide(layer)))

  it.live("of HTML with too many parts is refused", () =>
    Effect.gen(function*() {
      const extractor = yield* TextExtractor
      const { message } = yield* Effect.flip(extractor.fromMarkup("<b>x".repeat(4_000_000), "text/html"))
      assert.strictEqual(message, "The HTML takes too long to read, or too much memory.")
      assert.strictEqual((yield* extractor.fromMarkup("<b>x", "text/html")).text, "x")
    }).pipe(Effect.provide(briefly)))
})
