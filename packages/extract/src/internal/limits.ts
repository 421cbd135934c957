import { Damaged } from "./Damaged.ts"

/** The size of the largest plain-text upload. */
export const MAX_CHARACTERS = 33_554_432

export const tooMuchText = (): Damaged => new Damaged(`The file holds more than ${MAX_CHARACTERS} characters of text.`)
