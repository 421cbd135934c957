/** How the cells of a workbook show their numbers: as days and times, as percentages, or as they are. */
import { readXml } from "../xmlElements.ts"

type Shown = "number" | "day" | "time" | "moment" | "duration" | "percent"

/** Built-in formats, of which those from 27 on depend on the language. */
const BUILT_IN: ReadonlyArray<readonly [from: number, to: number, shown: Shown]> = [
  [9, 10, "percent"],
  [14, 17, "day"],
  [18, 21, "time"],
  [22, 22, "moment"],
  [27, 31, "day"],
  [32, 33, "time"],
  [34, 36, "day"],
  [45, 45, "time"],
  [46, 46, "duration"],
  [47, 47, "time"],
  [50, 58, "day"]
]

/** Hours, minutes or seconds in brackets go on after a day. */
const DURATION = /\[(?:h+|m+|s+)\]/i

/** Texts, colours and conditions. */
const NO_CODE = /"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g

const shownBy = (code: string): Shown => {
  if (DURATION.test(code)) return "duration"
  const [first = ""] = code.replaceAll(NO_CODE, "").split(";")
  if (/general/i.test(first)) return "number"
  if (first.includes("%")) return "percent"
  const isTime = /[hs]/i.test(first)
  const isDay = /[yd]/i.test(first) || (!isTime && /m/i.test(first))
  return isDay ? isTime ? "moment" : "day" : isTime ? "time" : "number"
}

const SECONDS_PER_DAY = 86_400

const secondsIn = (days: number): number => Math.round(days * SECONDS_PER_DAY)

const twoDigits = (number: number): string => String(number).padStart(2, "0")

const durationText = (seconds: number): string =>
  [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60].map(twoDigits).join(":")

/** A leap day in 1900, which there was not, counts. */
const EPOCH = Date.UTC(1899, 11, 30)
const EPOCH_1904 = Date.UTC(1904, 0, 1)

/** The last day that spreadsheets know is in the year 9999. */
const LAST_DAY = 2_958_466

/** Spreadsheets show no more digits. */
const DIGITS = 15

const plain = (number: number): string => String(Number(number.toPrecision(DIGITS)))

export class CellFormats {
  readonly #styles: ReadonlyArray<Shown>
  readonly #epoch: number

  constructor(xml: string, startsIn1904: boolean) {
    const codes = new Map<number, Shown>()
    const styles: Array<Shown> = []
    let isOfCells = false
    readXml(xml, {
      open(name, attribute) {
        const id = Number(attribute("numFmtId") ?? 0)
        if (name === "numFmt") codes.set(id, shownBy(attribute("formatCode") ?? ""))
        else if (name === "cellXfs") isOfCells = true
        else if (name === "xf" && isOfCells) {
          styles.push(codes.get(id) ?? BUILT_IN.find(([from, to]) => from <= id && id <= to)?.[2] ?? "number")
        }
      },
      close(name) {
        if (name === "cellXfs") isOfCells = false
      }
    })
    this.#styles = styles
    this.#epoch = startsIn1904 ? EPOCH_1904 : EPOCH
  }

  /** The text of a number as it is stored. */
  shown(value: string, style: number): string {
    const number = Number(value)
    if (value.trim() === "" || !Number.isFinite(number)) return value
    const shown = this.#styles[style] ?? "number"
    if (shown === "percent") return `${plain(100 * number)}%`
    if (shown === "number" || number < 0 || number >= LAST_DAY) return plain(number)
    return shown === "duration" ? durationText(secondsIn(number)) : this.#momentText(secondsIn(number), shown)
  }

  #momentText(seconds: number, shown: "day" | "time" | "moment"): string {
    const moment = new Date(this.#epoch + seconds * 1_000).toISOString()
    const day = moment.slice(0, 10)
    const time = moment.slice(11, moment.slice(17, 19) === "00" ? 16 : 19)
    if (shown === "time") return time
    return shown === "day" || seconds % SECONDS_PER_DAY === 0 ? day : `${day} ${time}`
  }
}
