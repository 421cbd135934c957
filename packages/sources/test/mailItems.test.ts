/** What is taken out of mails before they are parsed changes nothing of what is read. */
import { assert, describe, it } from "@effect/vitest"
import PostalMime from "postal-mime"
import { mailItems } from "../src/internal/imap/mime/mailItems.ts"

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
  "markup after a text": multipart("mixed", "b", plain, html),
  "a text after markup": multipart("mixed", "b", html, plain),
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
  "a mail in a mail": multipart(
    "mixed",
    "b",
    plain,
    `Content-Type: message/rfc822\r\n\r\n${[...HEAD, multipart("mixed", "c", plain, html, file)].join("\r\n")}`
  ),
  "no end": multipart("mixed", "b", plain, file).replace(/--b--[^]*/, ""),
  "a broken encoding": multipart(
    "mixed",
    "b",
    part("text/plain; charset=utf-8", "quoted-printable", "=ZZ =C3 =\r\n".repeat(40))
  ),
  "two types": multipart("mixed", "b", `Content-Type: text/plain; charset=utf-8\r\n${html}`)
}

const read = (mail: string) => mailItems({ id: "1", received: new Date(0), source: Buffer.from(mail, "latin1") })

const expected = async (mail: string) => {
  const { attachments, html = "", text = "" } = await PostalMime.parse(Buffer.from(mail, "latin1"))
  const files = attachments.filter(({ mimeType }) => !mimeType.startsWith("image/"))
  return {
    body: text === "" ? undefined : text,
    body_html: text.trim() === "" && html !== "" ? html : undefined,
    files: files.map(({ content }) => Buffer.from(content as ArrayBuffer).toString())
  }
}

describe("a mail", () => {
  for (const [what, body] of Object.entries(MAILS)) {
    for (
      const [ends, mail] of Object.entries({
        CRLF: [...HEAD, body].join("\r\n"),
        LF: [...HEAD, body].join("\n").replaceAll("\r\n", "\n")
      })
    ) {
      it(`of ${what} is parsed like by its library (${ends})`, async () => {
        const [email, ...files] = await read(mail)
        const payload = email !== undefined && "payload" in email ? email.payload ?? {} : {}
        assert.strictEqual(payload["subject"], "Grüße")
        assert.deepStrictEqual(
          {
            body: payload["body"],
            body_html: payload["body_html"],
            files: files.map((item) => "file" in item ? Buffer.from(item.file.bytes).toString() : null)
          },
          await expected(mail)
        )
      })
    }
  }

  it("with a longer id than metadata may have is stored, though the cut splits a character", async () => {
    const source = Buffer.from(`Message-ID: <${"a".repeat(1_998)}😀@example.org>\r\n\r\nText`)
    const [email] = await mailItems({ id: "1", received: new Date(0), source })
    assert.strictEqual(email?.metadata?.["message_id"], `<${"a".repeat(1_998)}\ufffd`)
  })

  it.each([4, 5, 6])("whose subject is split after byte %i of a text is read as one text", async (at) => {
    const bytes = Buffer.from("東京都庁舎")
    const word = (part: Buffer) => `=?utf-8?B?${part.toString("base64")}?=`
    const subject = `Subject: ${word(bytes.subarray(0, at))}\r\n ${word(bytes.subarray(at))} =?utf-8?B?IA==?= end`
    const [mail] = await read(["From: a@x.org", subject, "", "text"].join("\r\n"))
    assert.strictEqual((mail!.payload as { readonly subject: string }).subject, "東京都庁舎  end")
  })

  it("with flowing quotations has their marks once, and an answer after them apart", async () => {
    const lines = [">> Quoted ", ">> twice", "> and ", "> once ", "Answered ", "here", "> ", "Bye ", "-- ", "Ada", ""]
    const [mail] = await read(part("text/plain; format=flowed", "7bit", lines.join("\r\n")))
    assert.strictEqual(
      (mail!.payload as { readonly body: string }).body.trimEnd(),
      ">> Quoted twice\n> and once \nAnswered here\n>\nBye \n-- \nAda"
    )
  })

  it("whose subject is in Japanese words, each with its own switches, is read without them", async () => {
    const word = (bytes: string) => `=?ISO-2022-JP?B?${Buffer.from(`\x1b$B${bytes}\x1b(B`).toString("base64")}?=`
    const [mail] = await read(`Subject: ${word("ElElES")}\r\n ${word("ElElES")} ${word("ElElES")}\r\n\r\ntext`)
    assert.strictEqual((mail!.payload as { readonly subject: string }).subject, "東東途東東途東東途")
  })

  it.each(["", "text", "text; charset=utf-8", "TEXT ;charset=utf-8"])(
    "with the type \"%s\" has a text",
    async (type) => {
      const [email, ...files] = await read(`Content-Type: ${type}\r\n\r\nHello`)
      assert.deepInclude(email, { payload: { kind: "email", body: "Hello\n" } })
      assert.lengthOf(files, 0)
    }
  )

  it("that declares ASCII and contains UTF-8 is decoded as UTF-8", async () => {
    const source = Buffer.from("Content-Type: text/plain; charset=US-ASCII\r\n\r\nM\u00fcller")
    const [email] = await mailItems({ id: "1", received: new Date(0), source })
    assert.deepInclude(email, { payload: { kind: "email", body: "M\u00fcller\n" } })
  })

  it.each([
    ["cp850", "Gr\x81\xe1e", "Grüße"],
    ["IBM437", "Gr\x81\xe1e", "Grüße"],
    ["utf-7", "Gr+APwA3w-e", "Grüße"],
    ["UNICODE-1-1-UTF-7", "Gr+APwA3w-e", "Grüße"],
    ["x-unknown", "Gr\xfc\xdfe", "Grüße"],
    ["x-unknown", "Gr\xc3\xbc\xc3\x9fe", "Grüße"],
    ["unknown-8bit", "Gr\xc3\xbc\xc3\x9fe", "Grüße"],
    ["ascii", "Gr\xc3\xbc\xc3\x9fe", "Grüße"],
    ["base64", "Gr\xfc\xdfe", "Grüße"]
  ])("in the charset %s is decoded", async (charset, bytes, body) => {
    const [email] = await read(part(`text/plain; charset=${charset}`, "8bit", bytes))
    assert.deepInclude(email, { payload: { kind: "email", body: `${body}\n` } })
  })

  it("has attached texts in UTF-8, whatever charset they declare, and other files as they are", async () => {
    const bytes = "D\xe9j\xe0 vu"
    const [, ...files] = await read(multipart(
      "mixed",
      "b",
      plain,
      part("text/plain; charset=iso-8859-1; name=a.txt", "8bit", bytes, "Content-Disposition: attachment"),
      part("text/csv; charset=x-unknown; name=b.csv", "8bit", bytes, "Content-Disposition: attachment"),
      part("application/x; charset=iso-8859-1; name=c.bin", "8bit", bytes, "Content-Disposition: attachment")
    ))
    assert.deepStrictEqual(
      files.map((item) => "file" in item ? Buffer.from(item.file.bytes).toString("latin1") : null),
      [`${Buffer.from("D\u00e9j\u00e0 vu\n").toString("latin1")}`, `${bytes}\n`, `${bytes}\n`]
    )
  })

  it.each([
    ["Mon, 2 Mar 2026 10:00:00 +0100", "2026-03-02T09:00:00.000Z"],
    ["Mon, 2 Mar 2026 10:00:00 MEZ", "2026-03-02T10:00:00.000Z"],
    ["Fri, 1 Jan 275000 10:00:00 +0000", "1970-01-01T00:00:00.000Z"],
    ["soon", "1970-01-01T00:00:00.000Z"]
  ])("with the date %s has a time that can be stored", async (date, expected) => {
    const [email] = await mailItems({ id: "1", received: new Date(0), source: Buffer.from(`Date: ${date}\r\n\r\nHi`) })
    assert.strictEqual(email?.timestamp?.toISOString(), expected)
  })

  const undeclared = (text: string, filename: string) =>
    [`Subject: ${text}`, multipart("mixed", "b", part("text/plain", "8bit", text), file.replaceAll("a.pdf", filename))]
      .join("\r\n")
  for (const [way, name] of [["quickly", "a.pdf"], ["thoroughly", "a\\ b.pdf"]] as const) {
    for (
      const [bytes, mail] of Object.entries({
        "UTF-8": Buffer.from(undeclared("Grüße für 5 €", name)),
        "Western letters": Buffer.from(undeclared("Gr\xfc\xdfe f\xfcr 5 \x80", name), "latin1")
      })
    ) {
      it(`without a charset is decoded ${way} as the ${bytes} that it contains`, async () => {
        const [email] = await mailItems({ id: "1", received: new Date(0), source: mail })
        assert.deepInclude(email, {
          payload: { kind: "email", subject: "Grüße für 5 €", body: "Grüße für 5 €\n" }
        })
      })
    }
  }
})
