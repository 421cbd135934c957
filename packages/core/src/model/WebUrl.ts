/** An absolute http(s) address of at most 2,048 characters, stored as sent. */
import { Schema } from "effect"
import { isStorable } from "./Text.ts"
import { violatedBy, type Violation } from "./Violation.ts"

export const unparsable = (error: string): Violation => ({
  type: "url_parsing",
  message: `Input should be a valid URL, ${error}`,
  context: { error }
})

const PORT = /^(\s*https?:[/\\]+[^/?#\\]*):[^:\]/?#\\]*/i

/** What makes a URL with scheme and host unparsable, if anything. */
export const unparsablePart = (url: string): Violation | undefined =>
  URL.canParse(url)
    ? undefined
    : unparsable(URL.canParse(url.replace(PORT, "$1")) ? "invalid port number" : "invalid international domain name")

const fault = (url: string): Violation | undefined => {
  if (!isStorable(url)) return unparsable("invalid international domain name")
  if (url.length > 2_048) {
    return { type: "url_too_long", message: "URL should have at most 2048 characters", context: { max_length: 2_048 } }
  }
  if (url.trim() === "") return unparsable("input is empty")
  const scheme = /^\s*([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase()
  if (scheme === undefined) return unparsable("relative URL without a base")
  if (scheme !== "http" && scheme !== "https") {
    return {
      type: "url_scheme",
      message: "URL scheme should be 'http' or 'https'",
      context: { expected_schemes: "'http' or 'https'" }
    }
  }
  if (/^\s*https?:[/\\]*$/i.test(url)) return unparsable("empty host")
  return unparsablePart(url)
}

export const WebUrl = Schema.String.annotate({ format: "uri", typeViolation: "url_type" }).check(
  violatedBy(fault, { minLength: 1, maxLength: 2_048 })
)
