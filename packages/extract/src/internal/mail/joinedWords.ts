/** Encoded words that belong together: some mailers split a text between the bytes of one character. */

const RUN = /=\?([^?\s]+)\?b\?[^?\s]*\?=(?:\s+=\?\1\?b\?[^?\s]*\?=)+/gi
const WORD = /\?b\?([^?\s]*)\?=/gi

/** Each word in ISO-2022-JP ends in ASCII, but a decoder takes a switch to it without any ASCII for an attack. */
const NEEDLESS_SWITCH = /\x1b\([BJ](?=\x1b[$(])/g

export const joinedWords = (field: string): string =>
  field.replace(RUN, (run, charset: string) => {
    const bytes = Buffer.concat(Array.from(run.matchAll(WORD), ([, text = ""]) => Buffer.from(text, "base64")))
    const switched = bytes.toString("latin1").replace(NEEDLESS_SWITCH, "")
    return `=?${charset}?B?${Buffer.from(switched, "latin1").toString("base64")}?=`
  })
