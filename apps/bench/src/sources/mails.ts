/** Generated mails: plain text, HTML as mail programs send it, and some with attachments. */
import { randomBytes } from "node:crypto"
import { randomFrom, randomText } from "../texts.ts"

const random = randomFrom(7)

const lines = (encoded: string): string => encoded.replace(/.{76}/g, "$&\r\n")

const part = (headers: ReadonlyArray<string>, body: string): string => `${headers.join("\r\n")}\r\n\r\n${body}\r\n`

const multipart = (kind: string, boundary: string, parts: ReadonlyArray<string>): string =>
  `Content-Type: multipart/${kind}; boundary="${boundary}"\r\n\r\n` +
  `${parts.map((one) => `--${boundary}\r\n${one}`).join("")}--${boundary}--\r\n`

const UTF8 = "charset=utf-8"

const plain = (text: string): string =>
  part([`Content-Type: text/plain; ${UTF8}`, "Content-Transfer-Encoding: quoted-printable"], text)

const STYLE = "p{margin:0;font-family:Calibri,sans-serif;font-size:11pt}\r\n".repeat(20)

const html = (paragraphs: ReadonlyArray<string>): string =>
  part(
    [`Content-Type: text/html; ${UTF8}`, "Content-Transfer-Encoding: quoted-printable"],
    `<html><head><style>${STYLE}</style></head><body>\r\n${
      paragraphs.map((text) => `<p class=3D"MsoNormal"><span style=3D"color:black">${text}</span></p>`).join("\r\n")
    }\r\n</body></html>`
  )

const attached = (type: string, name: string, bytes: number): string =>
  part(
    [
      `Content-Type: ${type}; name="${name}"`,
      `Content-Disposition: attachment; filename="${name}"`,
      "Content-Transfer-Encoding: base64"
    ],
    lines(randomBytes(bytes).toString("base64"))
  )

/** Quoted-printable, with a soft break at the end of each line. */
const paragraph = (): string => randomText(random, 60).replace(/.{70}/g, "$&=\r\n")

const body = (number: number): string => {
  const paragraphs = Array.from({ length: 4 }, paragraph)
  const text = paragraphs.join("\r\n\r\n")
  const both = multipart("alternative", `alt${number}`, [plain(text), html(paragraphs)])
  const withFile = (type: string, name: string, bytes: number) =>
    multipart("mixed", `mix${number}`, [both, attached(type, name, bytes)])
  switch (number % 20) {
    case 0:
    case 10:
      return withFile("image/jpeg", "picture.jpg", 150_000)
    case 1:
      return withFile("application/pdf", "report.pdf", 250_000)
    case 2:
      return withFile("text/csv", "list.csv", 30_000)
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
      return plain(text)
    default:
      return both
  }
}

/** The headers that relaying servers add. */
const TRACE = Array.from(
  { length: 4 },
  (_, hop) =>
    `Received: from relay${hop}.example.net (relay${hop}.example.net [192.0.2.${hop}])\r\n\tby mx${hop}.example.org with ESMTPS id 4Xyz${hop}; Mon, 02 Mar 2026 10:00:0${hop} +0100`
)

export const makeMail = (number: number): string =>
  [
    ...TRACE,
    "From: Ada Lovelace <ada@example.org>",
    "To: grace@example.org, \"Hopper, Grace\" <hopper@example.org>",
    `Subject: ${randomText(random, 6)}`,
    `Message-ID: <${number}@example.org>`,
    ...(number % 3 === 0 ? [] : [`In-Reply-To: <${number - 1}@example.org>`]),
    "Date: Mon, 02 Mar 2026 10:00:00 +0100",
    "MIME-Version: 1.0",
    body(number)
  ].join("\r\n")
