import { isUtf8 } from "node:buffer"

const utf8 = new TextDecoder("utf-8")
const western = new TextDecoder("windows-1252")

/** How mail programs show bytes without a declared charset. */
export const undeclaredText = (bytes: Uint8Array): string => (isUtf8(bytes) ? utf8 : western).decode(bytes)
