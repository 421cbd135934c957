// What a mail contains. The library from which the addresses come parses whole mails, too: common ones in the same way.
import { assert, describe, it } from "@effect/vitest"
import PostalMime from "postal-mime"
import { Arbitrary, Schema } from "effect"
import { htmlText } from "../src/internal/formats/htmlText.ts"
import { readMail } from "../src/Mail.ts"
import { randomMail } from "./support/randomMail.ts"

const HEAD = ["From: Ada <ada@example.org>", "Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=", "MIME-Version: 1.0"]

const LONG = "A line with =C3=BC and a soft =\r\nbreak, then more.\r\n".repeat(12)
const MARKED_UP = `<p class=3D"a">${LONG}</p>`
const CODED = Buffer.from("Straße und Wege.\n".repeat(30)).toString("base64").replace(/.{76}/g, "$&\r\n")

const part = (type: string, encoding: string, body: string, ...more: ReadonlyArray<string>) =>
  [`Content-Type: ${type}`, `Content-Transfer-Encoding: ${encoding}`, ...more, "", body].join("\r\n")

const multipart = (kind: string, boundary: string, ...parts: ReadonlyArray<string>) =>
  [
    `Content-Type: multipart/${kind};\r\n\tboundary="${boundary}"`,
    "",
    "A preamble.",
    ...parts.map((one) => `--${boundary}\r\n${one}`),
    `--${boundary}--`,
    "An epilogue.",
    ""
  ].join("\r\n")

const plain = part("text/plain; charset=utf-8", "quoted-printable", LONG)
const html = part("text/html;\r\n charset=\"utf-8\"", "Quoted-Printable", MARKED_UP)
const file = part(
  "application/pdf; name=a.pdf",
  "base64",
  CODED,
  "Content-Disposition: attachment;\r\n filename=\"a.pdf\""
)
const picture = part("image/png", "base64", CODED, "Content-Disposition: attachment; filename=a.png")

const MAILS: Readonly<Record<string, string>> = {
  "a text": plain,
  "a text that ends with its mail": part("text/plain; charset=utf-8", "quoted-printable", LONG.trimEnd()),
  "no type": `Content-Transfer-Encoding: quoted-printable\r\n\r\n${LONG}`,
  "a text with lines like boundaries": multipart(
    "mixed",
    "b",
    part("text/plain; charset=utf-8", "quoted-printable", `${LONG}\r\n-- \r\nAda =C3=BC\r\n--- other ---\r\n${LONG}`)
  ),
  "alternatives": multipart("alternative", "b", plain, html),
  "markup alone": html,
  "a text in base64": multipart("mixed", "b", part("text/plain; charset=utf-8", "base64", CODED)),
  "Latin letters": part("text/plain; charset=iso-8859-1", "quoted-printable", LONG.replaceAll("=C3=BC", "=FC")),
  "a charset of few": part("text/plain; charset=x-mac-cyrillic", "quoted-printable", LONG),
  "two bytes to a letter": part(
    "text/plain; charset=utf-16le",
    "base64",
    Buffer.from("wide".repeat(90), "utf16le").toString("base64")
  ),
  "flowing lines": part(
    "text/plain; charset=utf-8; format=flowed",
    "quoted-printable",
    "flowing \r\nlines\r\n".repeat(20)
  ),
  "flowing lines with an empty one": part(
    "text/plain; format=flowed",
    "8bit",
    "flowing \r\n\r\nlines\r\n-- \r\nAda\r\n"
  ),
  "a text in another base64": part("text/plain", "base64", "_-_-QUJD\r\n"),
  "a text in pieces of base64": part("text/plain", "base64", "QQ==\r\nQQ==\r\n"),
  "a head that ends with another line break": "\n\r\nText\r\n",
  "files": multipart("mixed", "b", multipart("alternative", "b-in", plain, html), file, picture, file),
  "no end": multipart("mixed", "b", plain, file).replace(/--b--[^]*/, ""),
  "a broken encoding": multipart(
    "mixed",
    "b",
    part("text/plain; charset=utf-8", "quoted-printable", "=ZZ =C3 =\r\n".repeat(40))
  ),
  "two types": multipart("mixed", "b", `Content-Type: text/plain; charset=utf-8\r\n${html}`)
}

const latin1 = (text: string) => Buffer.from(text, "latin1")

const read = (mail: string) => readMail(latin1(mail))

const said = ({ attachments, html, text }: ReturnType<typeof readMail>) => ({
  text,
  html,
  files: attachments.map(({ bytes }) => Buffer.from(bytes()).toString())
})

const expected = async (mail: string) => {
  const { attachments, html = "", text = "" } = await PostalMime.parse(latin1(mail))
  return {
    text,
    html: text.trim() === "" ? html : "",
    files: attachments.map(({ content }) => Buffer.from(content as ArrayBuffer).toString())
  }
}

const WORD = /w\d+(?:é|ñandú|ß)?x/g

describe("a mail", () => {
  for (const [what, body] of Object.entries(MAILS)) {
    for (
      const [ends, mail] of Object.entries({
        CRLF: [...HEAD, body].join("\r\n"),
        LF: [...HEAD, body].join("\n").replaceAll("\r\n", "\n")
      })
    ) {
      it(`of ${what} is parsed like by the library (${ends})`, async () => {
        assert.strictEqual(read(mail).subject, "Grüße")
        assert.deepStrictEqual(said(read(mail)), await expected(mail))
      })
    }
  }

  it.prop(
    "has each text and file of its parts once, however programs write them",
    [Arbitrary.schema(Schema.Int)],
    ([seed]) => {
      const { files, source, words } = randomMail(seed)
      const { attachments, html, text } = readMail(source)
      assert.deepStrictEqual({
        words: [...`${text}${htmlText(html).text}`.match(WORD) ?? []],
        files: attachments.map(({ bytes, name }) => ({
          name,
          words: [...Buffer.from(bytes()).toString().match(WORD) ?? []]
        }))
      }, { words, files })
    },
    { arbitrary: { runs: 300 } }
  )

  it("of texts and markup in turns is one text", () => {
    const [note, footer] = ["Content-Type: text/html\r\n\r\n<p>Dear <b>all</b>,</p>", "\r\nLeave this list."]
    assert.strictEqual(read(multipart("mixed", "b", note, footer)).text, "Dear all,\n\nLeave this list.\n")
    assert.strictEqual(read(multipart("mixed", "b", footer, note)).text, "Leave this list.\n\nDear all,\n")
  })

  it("of a text that only says that there is markup is the markup", () => {
    const markup = "Content-Type: text/html\r\n\r\n<p>The office moves to Pier 4 on May 5.</p>"
    const shown = said(read(multipart("alternative", "b", "\r\nSee the web page.", markup)))
    assert.deepStrictEqual(shown, { text: "", html: "<p>The office moves to Pier 4 on May 5.</p>\n", files: [] })
  })

  it("of a text, its markup and copies of that for other programs is the text", () => {
    const copies = ["text/x-amp-html", "text/watch-html", "text/html"].map((type) =>
      `Content-Type: ${type}\r\n\r\n<p>Hi.`
    )
    const shown = said(read(multipart("alternative", "b", "\r\nHi.", ...copies)))
    assert.deepStrictEqual(shown, { text: "Hi.\n", html: "", files: [] })
  })

  it("that contains a mail has its head, its text and its files", () => {
    const inner = [
      "From: Ada <ada@example.org>",
      "To: bo@example.org",
      "Date: Fri, 1 May 2026 09:00:00 +0200",
      "Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=",
      multipart("mixed", "c", "\r\nHello.", file)
    ]
    const mail = read(
      multipart("mixed", "b", "\r\nSee below.", `Content-Type: message/rfc822\r\n\r\n${inner.join("\r\n")}`)
    )
    assert.strictEqual(
      mail.text,
      "See below.\n\nSubject: Grüße\nDate: Fri, 1 May 2026 09:00:00 +0200\n" +
        "From: Ada <ada@example.org>\nTo: bo@example.org\n\nHello.\n"
    )
    assert.deepStrictEqual(mail.attachments.map(({ name, type }) => [name, type]), [["a.pdf", "application/pdf"]])
  })

  it("that reports another one has that as a file", () => {
    const mail = read(
      multipart("report", "b", "\r\nNot delivered.", "Content-Type: message/rfc822\r\n\r\nSubject: Hi\r\n\r\nHi")
    )
    assert.deepStrictEqual(said(mail), { text: "Not delivered.\n", html: "", files: ["Subject: Hi\n\nHi\n"] })
  })

  it.each<readonly [what: string, mail: string, text: string]>([
    [
      "the same for two levels",
      multipart("mixed", "b", multipart("alternative", "b", "\r\nOne"), "\r\nTwo"),
      "One\n\nTwo\n"
    ],
    [
      "that start each other",
      multipart("mixed", "b", multipart("alternative", "bb", "\r\nOne"), "\r\nTwo"),
      "One\n\nTwo\n"
    ],
    ["after a part without a body", multipart("mixed", "b", "Content-Type: text/plain", "\r\nTwo"), "Two\n"],
    [
      "of which the inner ones do not end",
      multipart("mixed", "b", multipart("mixed", "c", "\r\nOne").replace(/--c--[^]*/, ""), "\r\nTwo"),
      "One\n\n\nTwo\n"
    ],
    ["that it does not declare", "Content-Type: multipart/mixed\r\n\r\nOne", "One\n"],
    ["that it does not contain", "Content-Type: multipart/mixed; boundary=b\r\n\r\nOne", "One\n"]
  ])("with boundaries %s has all texts", (_, mail, text) => {
    assert.strictEqual(read(mail).text, text)
  })

  it.each<readonly [written: string, name: string]>([
    ["filename=a.txt", "a.txt"],
    ["filename=\"a \\\"b\\\".txt\"; size=3", "a \"b\".txt"],
    ["filename=a b (1).txt", "a b (1).txt"],
    ["filename=a.txt (a comment)", "a.txt"],
    ["FileName = \"a;b.txt\" ; filename=c.txt", "a;b.txt"],
    ["flag; filename=a.txt;", "a.txt"],
    ["filename=\"a.txt", "a.txt"],
    ["filename=\"=?iso-8859-1?q?Gr=FC=DFe?=\"", "Grüße"],
    ["filename=fallback; filename*=iso-8859-1'de'Gr%FC%DFe", "Grüße"],
    ["filename*=Gr%C3%BC%C3%9Fe", "Grüße"],
    ["filename*1*=%BC%C3%9F; filename*0*=utf-8''Gr%C3; filename*2=\"e 100%25\"", "Grüße 100%25"]
  ])("has a file with the name that is written as %s", (written, name) => {
    const { attachments } = read(`Content-Disposition: attachment; ${written}\r\n\r\nHi`)
    assert.deepStrictEqual(attachments.map((one) => one.name), [name])
  })

  it("with flowing quotations has their marks once, and an answer after them apart", () => {
    const lines = [">> Quoted ", ">> twice", "> and ", "> once ", "Answered ", "here", "> ", "Bye ", "-- ", "Ada", ""]
    assert.strictEqual(
      read(part("text/plain; format=flowed", "7bit", lines.join("\r\n"))).text.trimEnd(),
      ">> Quoted twice\n> and once \nAnswered here\n>\nBye \n-- \nAda"
    )
  })

  it.each([4, 5, 6])("whose subject is split after byte %i of a text is read as one text", (at) => {
    const bytes = Buffer.from("東京都庁舎")
    const word = (part: Buffer) => `=?utf-8?B?${part.toString("base64")}?=`
    const subject = `Subject: ${word(bytes.subarray(0, at))}\r\n ${word(bytes.subarray(at))} =?utf-8?B?IA==?= end`
    assert.strictEqual(read(["From: a@x.org", subject, "", "text"].join("\r\n")).subject, "東京都庁舎  end")
  })

  it.each([
    ["=?utf-8?q?Gr=C3?=\r\n =?UTF-8?Q?=BC=C3=9Fe?=", "Grüße"],
    ["=?utf-8?B?R3LD?= =?utf-8?Q?=BC=C3=9F?= e", "Grüß e"],
    ["=?utf-8*de?Q?Gr=C3=BC=C3=9Fe?=", "Grüße"],
    ["=?cp850?Q?Gr=81=E1e?=", "Grüße"],
    ["=?utf-7?Q?Gr+APwA3w-e?=", "Grüße"],
    ["=?x-unknown?Q?Gr=FC=DFe?=", "Grüße"],
    ["=?iso-8859-1?Q?Gr=FC?= =?utf-8?Q?=C3=9Fe?=", "Grüße"],
    ["=?utf-8?Q?Gr=C3=BC=C3=9F_e?=!", "Grüß e!"]
  ])("whose subject and sender are written as %s", (written, text) => {
    const { from, subject } = read(`Subject: ${written}\r\nFrom: ${written} <a@x.org>\r\n\r\nHi`)
    assert.deepStrictEqual({ subject: subject?.trim(), from }, { subject: text, from: `${text} <a@x.org>` })
  })

  it("whose subject is in Japanese words, each with its own switches, is read without them", () => {
    const word = (bytes: string) => `=?ISO-2022-JP?B?${Buffer.from(`\x1b$B${bytes}\x1b(B`).toString("base64")}?=`
    const { subject } = read(`Subject: ${word("ElElES")}\r\n ${word("ElElES")} ${word("ElElES")}\r\n\r\ntext`)
    assert.strictEqual(subject, "東東途東東途東東途")
  })

  it.each(["", "text", "text; charset=utf-8", "TEXT ;charset=utf-8", "text/plain charset=utf-8"])(
    "with the type \"%s\" has a text",
    (type) => {
      assert.deepStrictEqual(said(read(`Content-Type: ${type}\r\n\r\nHello`)), { text: "Hello\n", html: "", files: [] })
    }
  )

  it.each([
    ["US-ASCII", "Gr\xc3\xbc\xc3\x9fe", "Grüße"],
    ["cp850", "Gr\x81\xe1e", "Grüße"],
    ["IBM437", "Gr\x81\xe1e", "Grüße"],
    ["utf-7", "Gr+APwA3w-e", "Grüße"],
    ["UNICODE-1-1-UTF-7", "Gr+APwA3w-e", "Grüße"],
    ["x-unknown", "Gr\xfc\xdfe", "Grüße"],
    ["x-unknown", "Gr\xc3\xbc\xc3\x9fe", "Grüße"],
    ["unknown-8bit", "Gr\xc3\xbc\xc3\x9fe", "Grüße"],
    ["ascii", "Gr\xc3\xbc\xc3\x9fe", "Grüße"],
    ["base64", "Gr\xfc\xdfe", "Grüße"]
  ])("in the charset %s is decoded", (charset, bytes, text) => {
    assert.strictEqual(read(part(`text/plain; charset=${charset}`, "8bit", bytes)).text, `${text}\n`)
  })

  it("has attached texts in UTF-8, whatever charset they declare, and other files as they are", () => {
    const attached = (type: string, bytes: string) => part(type, "8bit", bytes, "Content-Disposition: attachment")
    const { attachments } = read(multipart(
      "mixed",
      "b",
      plain,
      attached("text/plain; charset=iso-8859-1", "D\xe9j\xe0 vu"),
      attached("text/html; charset=iso-8859-1", "D\xe9j\xe0 vu"),
      attached("text/plain; charset=utf-7", "D+AOk-j+AOA- vu"),
      attached("text/plain; charset=iso-8859-1", "D\xc3\xa9j\xc3\xa0 vu"),
      attached("text/csv; charset=x-unknown", "D\xe9j\xe0 vu"),
      attached("application/x; charset=iso-8859-1", "D\xe9j\xe0 vu")
    ))
    assert.deepStrictEqual(
      attachments.map(({ bytes }) => bytes()),
      [
        ...Array.from({ length: 4 }, () => Buffer.from("D\u00e9j\u00e0 vu\n")),
        latin1("D\xe9j\xe0 vu\n"),
        latin1("D\xe9j\xe0 vu")
      ]
    )
  })

  it("has a file without an encoding byte for byte", () => {
    const bytes = "PK\x03\x04\r\n\r\r\n\n\xff\r"
    const zip = part("application/zip", "binary", bytes, "Content-Disposition: attachment")
    const { attachments } = read(multipart("mixed", "b", plain, zip, zip))
    assert.deepStrictEqual(attachments.map((one) => Buffer.from(one.bytes()).toString("latin1")), [bytes, bytes])
  })

  const undeclared = (text: string) =>
    [`Subject: ${text}`, multipart("mixed", "b", part("text/plain", "8bit", text), file)].join("\r\n")
  for (
    const [bytes, source] of Object.entries({
      "UTF-8": Buffer.from(undeclared("Grüße für 5 €")),
      "Western letters": latin1(undeclared("Gr\xfc\xdfe f\xfcr 5 \x80"))
    })
  ) {
    it(`without a charset is decoded as the ${bytes} that it contains`, () => {
      const { subject, text } = readMail(source)
      assert.deepStrictEqual({ subject, text }, { subject: "Grüße für 5 €", text: "Grüße für 5 €\n" })
    })
  }

  it.each(["iso-8859-1", "ISO-8859-15", "windows-1252", "cp1251"])("in UTF-8 that declares %s is UTF-8", (charset) => {
    const { subject, text } = readMail(
      Buffer.from(
        `Subject: =?${charset}?Q?Gr=C3=BC=C3=9Fe?=\r\n${part(`text/plain; charset=${charset}`, "8bit", "5 €")}`
      )
    )
    assert.deepStrictEqual({ subject, text }, { subject: "Grüße", text: "5 €\n" })
  })

  it.each(["", "\r\n", "\n\r\nText", "From: ada@example.org", "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b"])(
    "that has hardly begun is read: %j",
    (mail) => {
      assert.strictEqual(read(mail).text.trim(), mail.includes("Text") ? "Text" : "")
    }
  )
})
