/** Reads the descriptions of events, tasks and journals: uploaded ones, and those of connected calendars. */
import { htmlText } from "./internal/formats/htmlText.ts"

const TAG = /<\/?(?:a|b|br|div|i|li|ol|p|span|u|ul)(?:[\s/][^<>]*)?>/i

/** As plain text: some programs write HTML. */
export const eventDescription = (text: string): string =>
  TAG.test(text) ? htmlText(text.replaceAll("\n", "<br>")).text : text
