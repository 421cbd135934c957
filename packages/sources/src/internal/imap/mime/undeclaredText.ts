import { isUtf8 } from "node:buffer"

const utf8 = new TextDecoder("utf-8")
const western = new TextDecoder("windows-1252")

/** What mail programs show for bytes whose charset nothing names. */
export const undeclaredText = (bytes: Uint8Array): string => (isUtf8(bytes) ? utf8 : western).decode(bytes)
