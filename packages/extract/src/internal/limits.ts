import { Damaged } from "./Damaged.ts"

/** As much as the largest upload that is plain text. */
export const MAX_CHARACTERS = 33_554_432

export const tooMuchText = (): Damaged => new Damaged(`The file holds more than ${MAX_CHARACTERS} characters of text.`)
