/** Encoded words (RFC 2047) that belong together: some mailers split a text between the bytes of one character. */
import { shownText } from "./charsets.ts"

/** Of one charset, which a language may follow (RFC 2231, 5). */
const RUN = /=\?([^?\s*]+)(?:\*[^?\s]*)?\?[bq]\?[^?\s]*\?=(?:\s+=\?\1(?:\*[^?\s]*)?\?[bq]\?[^?\s]*\?=)*/gi
const WORD = /\?([bq])\?([^?\s]*)\?=/gi

/** Each word in ISO-2022-JP ends in ASCII, but a decoder takes a switch to it without any ASCII for an attack. */
const NEEDLESS_SWITCH = /\x1b\([BJ](?=\x1b[$(])/g

const unescaped = (text: string): string =>
  text.replaceAll("_", " ").replace(/=([\da-f]{2})/gi, (_, code) => String.fromCharCode(parseInt(code, 16)))

/** Characters are bytes. */
const bytesOf = (encoding: string, text: string): string =>
  /b/i.test(encoding) ? Buffer.from(text, "base64").toString("latin1") : unescaped(text)

/** The field with each run as one word in UTF-8. */
export const inUtf8Words = (field: string): string =>
  field.replace(RUN, (run, charset: string) => {
    const words = Array.from(run.matchAll(WORD), ([, encoding = "", text = ""]) => bytesOf(encoding, text))
    const bytes = Buffer.from(words.join("").replace(NEEDLESS_SWITCH, ""), "latin1")
    const text = shownText(bytes, charset)
    return `=?utf-8?B?${Buffer.from(text).toString("base64")}?=`
  })
