/**
 * UUIDv7: ids that sort by the moment they were made in.
 *
 * Within a process every id is greater than the one before, so that order by id is order of creation also inside a
 * millisecond, and when the clock goes back.
 */

const MAX_MILLISECOND = 2 ** 48 - 1
const COUNTER_SIZE = 2 ** 26

let millisecond = -1
let counter = 0
/** How an id of that millisecond begins. */
let time = ""

// The end of a random UUID: platforms draw the bytes of many at once, which costs a tenth of drawing those of one.
const randomDigits = (): string => crypto.randomUUID().slice(-12)

// Half of the counter's range stays free: over thirty million ids fit into a millisecond.
const randomCounter = (): number => Number.parseInt(randomDigits(), 16) % (COUNTER_SIZE / 2)

const enter = (next: number): void => {
  const digits = next.toString(16).padStart(12, "0")
  millisecond = next
  counter = randomCounter()
  time = `${digits.slice(0, 8)}-${digits.slice(8)}`
}

/** A new id of the millisecond `now`, or of a later one that an id of this process already stands in. */
export const uuid7 = (now: number): string => {
  const wanted = Math.min(Math.max(Math.floor(now), 0), MAX_MILLISECOND)
  if (wanted > millisecond) enter(wanted)
  else if (++counter === COUNTER_SIZE) enter(millisecond + 1)
  // The version stands before the first half of the counter, the variant before the second.
  const high = (0x7000 | (counter >>> 14)).toString(16)
  const low = (0x8000 | (counter & 0x3fff)).toString(16)
  return `${time}-${high}-${low}-${randomDigits()}`
}
