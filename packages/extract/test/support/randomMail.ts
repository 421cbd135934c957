/** Mails as many programs write them: parts in parts, with every way to write a charset, an encoding and a name. */

export interface RandomMail {
  readonly source: Buffer
  /** Those of its text, in display order. */
  readonly words: ReadonlyArray<string>
  readonly files: ReadonlyArray<{ readonly name: string; readonly words: ReadonlyArray<string> }>
}

/** Marsaglia's xorshift. */
const randomOf = (seed: number) => {
  let state = seed * 2_654_435_761 + 1 | 0 || 1
  return (below: number): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

const quotedPrintable = (bytes: Buffer): string =>
  Array.from(
    bytes,
    (byte) =>
      byte < 33 || byte > 126 || byte === 61
        ? `=${byte.toString(16).toUpperCase().padStart(2, "0")}`
        : String.fromCharCode(byte)
  ).join("").replace(/(?:=..|.){20}/g, "$&=\r\n")

const base64 = (bytes: Buffer): string => bytes.toString("base64").replace(/.{40}/g, "$&\r\n")

const percent = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")

/** A mail, the same for the same seed. */
export const randomMail = (seed: number): RandomMail => {
  const random = randomOf(seed)
  const pick = <A>(...all: ReadonlyArray<A>): A => all[random(all.length)]!
  let count = 0
  const word = (): string => `w${++count}${pick("", "é", "ñandú", "ß")}x`
  const wordsOf = (length: number) => Array.from({ length }, word)

  /** `text` is in Western letters. Returns the fields and the body, in which a character is a byte. */
  const content = (type: string, text: string, more: ReadonlyArray<string> = []): string => {
    const charset = pick("utf-8", "UTF-8", "iso-8859-1", "Windows-1252", "")
    const bytes = Buffer.from(text, /^(utf-8|)$/i.test(charset) ? "utf8" : "latin1")
    const written = pick(
      `charset=${charset}`,
      `charset="${charset}"`,
      `CHARSET=${charset} (a comment)`,
      `x=y;\r\n\tcharset="${charset}"`
    )
    const field = charset === "" ? type : `${type}${pick(";", "; ", " ;\r\n ")}${written}`
    const encoding = pick("quoted-printable", "Base64", "8bit", "(none) 8BIT")
    const body = encoding === "Base64"
      ? base64(bytes)
      : encoding.startsWith("q")
      ? quotedPrintable(bytes)
      : bytes.toString("latin1")
    return [
      ...random(2) === 0 ? more : [],
      `${pick("Content-Type", "content-type", "CONTENT-TYPE")}:${pick(" ", "", "\r\n ")}${field}`,
      `Content-Transfer-Encoding: ${encoding}`,
      ...more,
      "",
      body
    ].join("\r\n")
  }

  const words: Array<string> = []
  const files: Array<RandomMail["files"][number]> = []

  const plain = (own: ReadonlyArray<string>): string => content("text/plain", own.join(pick(" ", "\r\n")))
  const markup = (own: ReadonlyArray<string>): string => content("text/html", `<p>${own.join(" ")}</p>`)

  const text = (): string => {
    const own = wordsOf(1 + random(4))
    words.push(...own)
    return pick(plain, markup)(own)
  }

  const alternative = (): string => {
    const own = wordsOf(1 + random(4))
    words.push(...own)
    return multipart(
      "alternative",
      () => [plain(own), random(2) === 0 ? markup(own) : multipart("related", () => [markup(own)])]
    )
  }

  const file = (): string => {
    const [own, name] = [wordsOf(1 + random(3)), `${word()} (${word()}).txt`]
    files.push({ name, words: own })
    const [half, rest] = [name.slice(0, 2), name.slice(2)]
    const named = pick(
      `filename="=?utf-8?B?${Buffer.from(name).toString("base64")}?="`,
      `filename*=utf-8''${percent(name)}`,
      `filename=broken.txt; filename*=UTF-8'en'${percent(name)}`,
      `filename*0*=utf-8''${percent(half)};\r\n filename*1*=${percent(rest)}`,
      `filename*1*=${percent(rest)}; filename*0*=utf-8''${half}`,
      `filename=${Buffer.from(name).toString("latin1")}`,
      `size=3; filename="${Buffer.from(name).toString("latin1").replace("(", "\\(")}"`
    )
    return content("text/plain", own.join(" "), [`Content-Disposition: ${pick("attachment", "ATTACHMENT")}; ${named}`])
  }

  const mail = (depth: number): string => {
    const own = wordsOf(1)
    words.push(...own)
    return `Content-Type: message/rfc822\r\n\r\nSubject: =?utf-8?Q?${quotedPrintable(Buffer.from(own[0]!))}?=\r\n${
      part(depth)
    }`
  }

  const mixed = (depth: number): string =>
    multipart(pick("mixed", "related", "signed"), () => Array.from({ length: 1 + random(4) }, () => part(depth)))

  let boundaries = 0
  const multipart = (kind: string, inner: () => ReadonlyArray<string>): string => {
    const boundary = `${pick("b", "b-b", "b--", "=_ b", "'()+_,-./:=?")}${++boundaries}`
    const end = pick("\r\n", "", " \t\r\n", "\r\nAn epilogue.\r\n--\r\n-- \r\n")
    return [
      `Content-Type: multipart/${kind}; ${pick("", "a=b;\r\n ", "type=\"text/html\"; ")}boundary="${boundary}"${
        pick("", ";", " ")
      }`,
      "",
      pick("", "A preamble.\r\n"),
      ...inner().map((one) => `--${boundary}${pick("", " ")}\r\n${one}`),
      `--${boundary}--${end}`
    ].join("\r\n")
  }

  const part = (depth: number): string =>
    depth > 2 ? text() : pick(text, text, alternative, file, () => mixed(depth + 1), () => mail(depth + 1))()

  const source = `From: ada@example.org\r\n${part(0)}`
  return { source: Buffer.from(pick(source, source.replaceAll("\r\n", "\n")), "latin1"), words, files }
}
