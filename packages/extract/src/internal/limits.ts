import { MAX_UPLOAD_BYTES } from "@tributary/core/model/Ingest"
import { Damaged } from "./Damaged.ts"

/** As many as the largest plain-text upload has. */
export const MAX_CHARACTERS = MAX_UPLOAD_BYTES

export const tooMuchText = (): Damaged => new Damaged(`The file holds more than ${MAX_CHARACTERS} characters of text.`)
