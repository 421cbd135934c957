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

// The end of a random UUID: platforms draw the bytes of many at once, which costs a tenth of drawing those of one.
const randomDigits = (): string => crypto.randomUUID().slice(-12)

// Half of the counter's range stays free: over thirty million ids fit into a millisecond.
const randomCounter = (): number => Number.parseInt(randomDigits(), 16) % (COUNTER_SIZE / 2)

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0")

/** A new id of the millisecond `now`, or of a later one that an id of this process already stands in. */
export const uuid7 = (now: number): string => {
  const wanted = Math.min(Math.max(Math.floor(now), 0), MAX_MILLISECOND)
  if (wanted > millisecond) {
    millisecond = wanted
    counter = randomCounter()
  } else if (++counter === COUNTER_SIZE) {
    millisecond++
    counter = randomCounter()
  }
  const time = hex(millisecond, 12)
  const high = hex(counter >>> 14, 3)
  const low = hex(0x8000 | (counter & 0x3fff), 4)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${high}-${low}-${randomDigits()}`
}
