/** Mails whose content is not in their parts: in Outlook's own format, signed in one piece, or encrypted. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Extract from "../src/Extract.ts"
import { decompressedRtf } from "../src/internal/mail/decompressedRtf.ts"
import { hasWords, readMail } from "../src/Mail.ts"
import { read, refusal } from "./support/reading.ts"
import { namedProperty, property, tnef } from "./support/tnef.ts"

const BODY = 0x1000
const RTF = 0x1009
const HTML = 0x1013
const DATA = 0x3701
const LONG_NAME = 0x3707
const TYPE = 0x370e
const BINARY = 0x102
const OBJECT = 0x0d

const part = (type: string, body: Buffer | string) =>
  `Content-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(body).toString("base64")}`

const mixed = (...parts: ReadonlyArray<string>) =>
  ["Subject: Plan", "Content-Type: multipart/mixed; boundary=b", "", ...parts.map((one) => `--b\r\n${one}`), "--b--"]
    .join("\r\n")

const winmail = (bytes: Buffer) => part("application/ms-tnef; name=winmail.dat", bytes)

const mailOf = (text: string) => {
  const { attachments, html, text: shown } = readMail(Buffer.from(text))
  return {
    text: shown.trim(),
    html,
    files: attachments.map(({ bytes, name, type }) => [name, type, Buffer.from(bytes()).toString("latin1")])
  }
}

// The examples of its description, with a repetition and with one that overlaps itself.
const COMPRESSED: ReadonlyArray<readonly [string, string]> = [
  [
    "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0",
    "{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
  ],
  ["1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0", "{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}"],
  [`0f000000040000004d454c4100000000${Buffer.from("{\\rtf1 plain}").toString("hex")}`, "{\\rtf1 plain}"]
]

describe("a mail in Outlook's own format", () => {
  it.each(COMPRESSED)("has its compressed text, as of %s", (compressed, text) => {
    const bytes = Buffer.from(compressed, "hex")
    assert.strictEqual(decompressedRtf(bytes)?.toString("latin1"), text)
    for (let length = 0; length < bytes.length; length++) decompressedRtf(bytes.subarray(0, length))
  })

  it("has a text of any length, of which the beginning is read", () => {
    // Each time, eight references of 17 bytes to the byte before them.
    const text = Array.from({ length: 70_000 }, (_, step) => [
      0xff,
      ...Array.from({ length: 8 }, (_, at) => {
        const last = (206 + 17 * (8 * step + at)) & 0xfff
        return [last >> 4, (last & 0xf) << 4 | 0xf]
      }).flat()
    ])
    const bytes = Buffer.from([...Buffer.from(COMPRESSED[0]![0].slice(0, 32), "hex"), ...text.flat()])
    assert.strictEqual(decompressedRtf(bytes)?.length, 8_388_608)
  })

  it("has its text and its files where the mail has nothing else", () => {
    const properties = [
      property(0x17, 2),
      namedProperty("Keywords", 7),
      property(BODY, "The office moves to Pier 4."),
      property(RTF, [BINARY, Buffer.from(COMPRESSED[0]![0], "hex")])
    ]
    const attachments = [
      {
        title: "LISTE~1.CSV",
        data: Buffer.from("name,count"),
        properties: [property(LONG_NAME, "Liste – März.csv"), property(TYPE, "text/csv")]
      },
      { title: "Größe.txt", properties: [property(DATA, [BINARY, Buffer.from("Long.")])] }
    ]
    assert.deepStrictEqual(mailOf(mixed(winmail(tnef({ properties, attachments })))), {
      text: "The office moves to Pier 4.",
      html: "",
      files: [
        ["Liste – März.csv", "text/csv", "name,count"],
        ["Größe.txt", "application/octet-stream", "Long."]
      ]
    })
  })

  it.each([
    [
      "its code page",
      tnef({ codePage: 1_251, body: Buffer.from("\xcf\xf0\xe8\xe2\xe5\xf2\0", "latin1") }),
      "Привет",
      ""
    ],
    ["RTF", tnef({ properties: [property(RTF, [BINARY, Buffer.from(COMPRESSED[0]![0], "hex")])] }), "hello world", ""],
    [
      "HTML",
      tnef({ properties: [property(HTML, [BINARY, Buffer.from("<p>Grüße")])], codePage: 65_001 }),
      "",
      "<p>Grüße"
    ]
  ])("has its text in %s", (_, bytes, text, html) => {
    assert.deepStrictEqual(mailOf(mixed(winmail(bytes))), { text, html, files: [] })
  })

  it("is one by its name as well", () => {
    const bytes = tnef({ properties: [property(BODY, "The text.")] })
    const mail = mixed(winmail(bytes).replace("application/ms-tnef", "application/octet-stream"))
    assert.deepStrictEqual(mailOf(mail), { text: "The text.", html: "", files: [] })
  })

  it("does not repeat the text of the mail", () => {
    const copy = winmail(tnef({ properties: [property(BODY, "The copy.")], attachments: [{ title: "a.txt" }] }))
    const { files, text } = mailOf(mixed(part("text/plain", "The text."), copy))
    assert.deepStrictEqual({ files, text }, { files: [["a.txt", "application/octet-stream", ""]], text: "The text." })
  })

  it("that is damaged stays a file", () => {
    const whole = tnef({ properties: [property(BODY, "The text.")], attachments: [{ title: "a.txt" }] })
    for (let length = 0; length < whole.length; length++) {
      const { files, text } = mailOf(mixed(winmail(whole.subarray(0, length))))
      if (files[0]?.[0] !== "winmail.dat") assert.include(["", "The text."], text)
    }
    const [file] = mailOf(mixed(winmail(whole.subarray(0, -1)))).files
    assert.deepStrictEqual(file?.slice(0, 2), ["winmail.dat", "application/ms-tnef"])
  })
})

const SIGNED = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02]
const CONTENT = [...SIGNED.slice(0, -1), 0x01]
const ENVELOPED = [...SIGNED.slice(0, -1), 0x03]

const element = (tag: number, ...parts: ReadonlyArray<Buffer | ReadonlyArray<number>>): Buffer => {
  const content = Buffer.concat(parts.map((one) => Buffer.from(one)))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  return Buffer.concat([Buffer.from([tag, 0x84]), length, content])
}

/** Its end is marked, as streams write it. */
const streamed = (tag: number, ...parts: ReadonlyArray<Buffer>): Buffer =>
  Buffer.concat([Buffer.from([tag, 0x80]), ...parts, Buffer.alloc(2)])

const signed = (content: Buffer, make: typeof element | typeof streamed = element) =>
  make(
    0x30,
    element(0x06, SIGNED),
    make(
      0xa0,
      make(
        0x30,
        element(0x02, [1]),
        element(0x31),
        make(0x30, element(0x06, CONTENT), make(0xa0, content)),
        element(0x31)
      )
    )
  )

const smime = (bytes: Buffer) =>
  `Subject: Signed\r\n${part("application/pkcs7-mime; smime-type=signed-data; name=smime.p7m", bytes)}`

const smimeByName = (bytes: Buffer) => `Subject: Signed\r\n${part("application/octet-stream; name=smime.p7m", bytes)}`

const INNER = Buffer.from("Content-Type: text/plain; charset=utf-8\r\n\r\nDie Größe.\r\n")

const ENCRYPTED = "(This text is encrypted and cannot be read.)"

describe("a mail that is signed in one piece", () => {
  it.each([
    ["whole", signed(element(0x04, INNER))],
    [
      "in pieces",
      signed(streamed(0x24, element(0x04, INNER.subarray(0, 60)), element(0x04, INNER.subarray(60))), streamed)
    ]
  ])("has the text that is signed, %s", (_, bytes) => {
    assert.deepStrictEqual(mailOf(smime(bytes)), { text: "Die Größe.", html: "", files: [] })
    assert.deepStrictEqual(mailOf(smimeByName(bytes)), { text: "Die Größe.", html: "", files: [] })
    for (let length = 0; length < bytes.length; length++) mailOf(smime(bytes.subarray(0, length)))
  })

  it("however often is read to a depth", () => {
    const nested = (depth: number): Buffer =>
      depth === 0 ? INNER : Buffer.from(smime(signed(element(0x04, nested(depth - 1)))))
    assert.strictEqual(mailOf(nested(3).toString()).text, "Die Größe.")
    assert.strictEqual(mailOf(nested(4).toString()).text, ENCRYPTED)
  })
})

const ARMOR = "-----BEGIN PGP MESSAGE-----\r\n\r\nhQEMA3\r\n-----END PGP MESSAGE-----"

layer(Extract.layer)("an encrypted mail", (it) => {
  it.each([
    ["S/MIME", smime(element(0x30, element(0x06, ENVELOPED), element(0xa0)))],
    ["S/MIME without its type", smimeByName(element(0x30, element(0x06, ENVELOPED), element(0xa0)))],
    [
      "PGP/MIME",
      mixed("Content-Type: application/pgp-encrypted\r\n\r\nVersion: 1", part("application/octet-stream", ARMOR))
        .replace("mixed", "encrypted")
    ],
    ["PGP", `Subject: Hi\r\n\r\n${ARMOR}\r\n`],
    ["PGP without an end", `Subject: Hi\r\n\r\n${ARMOR.slice(0, -25)}`]
  ])("by %s says so", (_, mail) => {
    assert.strictEqual(mailOf(mail).text, ENCRYPTED)
  })

  it.effect("has a file that is refused for that", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* refusal("a.asc", "application/octet-stream", ARMOR)).message, "The file is encrypted.")
      for (const type of ["application/pkcs7-mime", "application/octet-stream"]) {
        const refused = yield* refusal("smime.p7m", type, Buffer.from([0x30, 0x80, 0x06]))
        assert.strictEqual(refused.message, "The file is encrypted.", type)
      }
      const office = (name: string) =>
        refusal("a.docx", "", Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.from(name, "utf16le")]))
      assert.strictEqual((yield* office("EncryptedPackage")).message, "The file is encrypted.")
      assert.match((yield* office("WordDocument")).message, /^The file's format is not supported/)
    }))

  it.effect("by nobody, but in Outlook's format and within another one, is read like any mail", () =>
    Effect.gen(function*() {
      const inner = tnef({
        properties: [property(0x37, "Berth"), property(BODY, "Pier 4 is full.")],
        attachments: [{ title: "notes.txt", data: Buffer.from("Ask the harbour.") }]
      })
      const value = property(DATA, [OBJECT, Buffer.concat([Buffer.alloc(16), inner])])
      const outer = tnef({
        properties: [property(BODY, "See below.")],
        attachments: [{ title: "x", properties: [value] }]
      })
      const { text } = yield* read("winmail.dat", "application/octet-stream", outer)
      assert.strictEqual(
        text,
        "See below.\n\nAttachment: x\n\nSubject: Berth\nPier 4 is full.\n\nAttachment: notes.txt\n\nAsk the harbour."
      )
    }))

  it("has no documents of parts that are only for programs", () => {
    for (const type of ["application/pgp-signature", "application/pkcs7-signature", "message/delivery-status"]) {
      assert.isFalse(hasWords(type))
    }
    assert.isTrue(hasWords("application/ms-tnef"))
  })
})
