/**
 * UUIDv7: ids sorted by creation time.
 *
 * Within a process every id is greater than the previous one, also inside a millisecond and when the clock goes back.
 */

const MAX_MILLISECOND = 2 ** 48 - 1
const COUNTER_SIZE = 2 ** 26

let millisecond = -1
let counter = 0
/** The first digits of ids of that millisecond. */
let time = ""

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

// One call for many ids: a call takes longer than its bytes.
const random = new Uint8Array(6 * 512)
let used = random.length

const randomDigits = (): string => {
  if (used === random.length) {
    crypto.getRandomValues(random)
    used = 0
  }
  let digits = ""
  for (const end = used + 6; used < end; used++) digits += HEX[random[used]!]
  return digits
}

// Half of the counter's range stays free: over thirty million ids fit into a millisecond.
const randomCounter = (): number => Number.parseInt(randomDigits(), 16) % (COUNTER_SIZE / 2)

const bounded = (millis: number): number => Math.min(Math.max(Math.floor(millis), 0), MAX_MILLISECOND)

const timeOf = (millis: number): string => {
  const digits = millis.toString(16).padStart(12, "0")
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}

const enter = (next: number): void => {
  millisecond = next
  counter = randomCounter()
  time = timeOf(next)
}

/** No id of this millisecond, or of a later one, is smaller. */
export const leastUuid7 = (millis: number): string => `${timeOf(bounded(millis))}-0000-0000-000000000000`

/** A new id, of any kind, for the millisecond `now`, or for a later one if this process has used that already. */
export const uuid7 = <Id extends string = string>(now: number): Id => {
  const wanted = bounded(now)
  if (wanted > millisecond) enter(wanted)
  else if (++counter === COUNTER_SIZE) enter(millisecond + 1)
  // The version precedes the first half of the counter, the variant the second.
  const high = (0x7000 | (counter >>> 14)).toString(16)
  const low = (0x8000 | (counter & 0x3fff)).toString(16)
  // A template would keep its parts alive, in three times the memory.
  return [time, high, low, randomDigits()].join("-") as Id
}
