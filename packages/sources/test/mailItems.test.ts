/** The documents of a mail. */
import { assert, describe, it } from "@effect/vitest"
import { mailItems } from "../src/internal/imap/mailItems.ts"

const items = (mail: string) => mailItems({ id: "1", received: new Date(0), source: Buffer.from(mail) })

const attached = (type: string, at: number) =>
  `--b\r\nContent-Type: ${type}\r\nContent-Disposition: attachment; filename=${at}\r\n\r\nfile ${at}\r\n`

describe("a mail", () => {
  it("with a longer id than metadata may have is stored, though the cut splits a character", () => {
    const [email] = items(`Message-ID: <${"a".repeat(1_998)}😀@example.org>\r\n\r\nText`)
    assert.strictEqual(email?.metadata?.["message_id"], `<${"a".repeat(1_998)}\ufffd`)
  })

  it.each([
    ["Mon, 2 Mar 2026 10:00:00 +0100", "2026-03-02T09:00:00.000Z"],
    ["Mon, 2 Mar 2026 10:00:00 MEZ", "2026-03-02T10:00:00.000Z"],
    ["Fri, 1 Jan 275000 10:00:00 +0000", "1970-01-01T00:00:00.000Z"],
    ["soon", "1970-01-01T00:00:00.000Z"]
  ])("with the date %s has a time that can be stored", (date, expected) => {
    const [email] = items(`Date: ${date}\r\n\r\nHi`)
    assert.strictEqual(email?.timestamp?.toISOString(), expected)
  })

  it.each([
    ["Sun, 1 Mar 2099 10:00:00 +0000", "2026-03-02T12:00:00.000Z"],
    ["Thu, 1 Jan 1970 00:00:00 +0000", "2026-03-02T12:00:00.000Z"],
    ["Tue, 3 Mar 2026 08:00:00 +0000", "2026-03-03T08:00:00.000Z"],
    ["Fri, 2 Mar 2012 10:00:00 +0000", "2012-03-02T10:00:00.000Z"]
  ])("with the date %s that arrived in 2026 has the time %s", (date, expected) => {
    const received = new Date("2026-03-02T12:00:00Z")
    const [email] = mailItems({ id: "1", received, source: Buffer.from(`Date: ${date}\r\n\r\nHi`) })
    assert.strictEqual(email?.timestamp?.toISOString(), expected)
  })

  it("has its markup only without a text", () => {
    const [text, markup] = ["\r\nA text.", "Content-Type: text/html\r\n\r\n<p>A page.</p>"]
    const mail = (...parts: ReadonlyArray<string>) =>
      ["Content-Type: multipart/alternative; boundary=b", "", ...parts.map((part) => `--b\r\n${part}`)].join("\r\n")
    assert.deepInclude(items(mail(text, markup))[0], { payload: { kind: "email", body: "A text.\n" } })
    assert.deepInclude(items(mail(markup))[0], { payload: { kind: "email", body_html: "<p>A page.</p>\n" } })
  })

  it("has its attachments as documents of their own, to a limit, but no pictures", () => {
    const types = ["image/png", ...Array.from({ length: 21 }, () => "text/plain")]
    const [, ...files] = items(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${types.map(attached).join("")}`)
    assert.deepStrictEqual(
      files.map(({ external_id, ...item }) => [external_id, "file" in item ? item.file.name : null]),
      Array.from({ length: 20 }, (_, at) => [`1.${at + 1}`, `${at + 1}`])
    )
  })
})
