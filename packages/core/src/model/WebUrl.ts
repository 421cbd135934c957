/** An absolute http(s) address of at most 2,048 characters, stored as sent. */
import { Schema } from "effect"
import { isStorable } from "./Text.ts"
import { violatedBy, type Violation } from "./Violation.ts"

const unparsable = (error: string): Violation => ({
  type: "url_parsing",
  message: `Input should be a valid URL, ${error}`,
  context: { error }
})

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
  return URL.canParse(url) ? undefined : unparsable("invalid international domain name")
}

export const WebUrl = Schema.String.annotate({ format: "uri", typeViolation: "url_type" }).check(
  violatedBy(fault, { minLength: 1, maxLength: 2_048 })
)
