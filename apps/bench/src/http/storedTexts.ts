/** The documents for searches. */
import { DOCUMENTS } from "./scenarios.ts"
import { randomFrom, randomText } from "../texts.ts"

const BATCH = 1_000

/** In batches of the maximum size. */
export function* storedTexts() {
  const random = randomFrom(3)
  for (let first = 0; first < DOCUMENTS; first += BATCH) {
    yield Array.from({ length: BATCH }, (_, index) => ({
      external_id: `stored-${first + index}`,
      title: randomText(random, 4),
      text: randomText(random, 75)
    }))
  }
}
