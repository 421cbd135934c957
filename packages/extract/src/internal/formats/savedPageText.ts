/** A page as browsers save it in one file (MHTML, RFC 2557): the text of the page and of its frames. */
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { readMail } from "../../Mail.ts"
import { extractedText } from "../extractedText.ts"
import { htmlText } from "./htmlText.ts"

export const savedPageText = (bytes: Uint8Array): Extracted => {
  const { html, subject, text } = readMail(bytes)
  const page = html === "" ? extractedText(text, {}) : htmlText(html)
  return page.title === null ? { ...page, title: extractedText("", { title: subject }).title } : page
}
