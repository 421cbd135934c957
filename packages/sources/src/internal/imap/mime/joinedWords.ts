/** Encoded words that belong together: some mailers split a text between the bytes of one character. */

const RUN = /=\?([^?\s]+)\?b\?[^?\s]*\?=(?:\s+=\?\1\?b\?[^?\s]*\?=)+/gi
const WORD = /\?b\?([^?\s]*)\?=/gi

export const joinedWords = (field: string): string =>
  field.replace(RUN, (run, charset: string) => {
    const bytes = Array.from(run.matchAll(WORD), ([, text = ""]) => Buffer.from(text, "base64"))
    return `=?${charset}?B?${Buffer.concat(bytes).toString("base64")}?=`
  })
