/** The thread that splits calendar files. */
import { unfoldLines } from "@tributary/core/contentLines"
import { bodyText } from "../network/bodyText.ts"
import { port } from "../readerPort.ts"
import type { CalendarFile, Split, SplitTask } from "./CalendarSplitter.ts"
import { type CalendarObject, NoCalendar, splitCalendar, UnfinishedCalendar } from "./splitCalendar.ts"

/** Objects and characters of an answer, which its reader gets at once. */
const MAX_OBJECTS = 100
const MAX_LENGTH = 262_144

let objects: Iterator<CalendarObject> | undefined

const next = (): Split => {
  if (objects === undefined) return "forgotten"
  const taken: Array<CalendarObject> = []
  for (let length = 0; taken.length < MAX_OBJECTS && length < MAX_LENGTH;) {
    const { done, value } = objects.next()
    if (done === true) break
    taken.push(value)
    length += value.text.length
  }
  return taken
}

const begin = ({ bytes, contentType, from }: CalendarFile): Split => {
  try {
    objects = splitCalendar(bodyText(unfoldLines(bytes), contentType))
    for (let at = 0; at < from; at++) objects.next()
    return next()
  } catch (error) {
    if (error instanceof NoCalendar) return "no calendar"
    if (error instanceof UnfinishedCalendar) return "unfinished"
    throw error
  }
}

port.on("message", (task: SplitTask) => port.postMessage(task === "more" ? next() : begin(task), []))
