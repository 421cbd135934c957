import { Damaged } from "./Damaged.ts"

/** `MAX_UPLOAD_BYTES` of core, whose models would take half of the memory that a process may use to read a file. */
export const MAX_CHARACTERS = 33_554_432

export const tooMuchText = (): Damaged => new Damaged(`The file holds more than ${MAX_CHARACTERS} characters of text.`)
