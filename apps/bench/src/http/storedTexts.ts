/** The documents that searches look through. */
import { DOCUMENTS } from "./scenarios.ts"
import { randomFrom, randomText } from "../texts.ts"

const BATCH = 1_000

/** In batches as large as a request may have. */
export const storedTexts = () => {
  const random = randomFrom(3)
  return Array.from({ length: DOCUMENTS / BATCH }, (_, batch) =>
    Array.from({ length: BATCH }, (_, index) => ({
      external_id: `stored-${batch * BATCH + index}`,
      title: randomText(random, 4),
      text: randomText(random, 90)
    })))
}
