/** Whether a caller wants an answer as events, as far as its Accept header tells. */
import type { HttpServerRequest } from "effect/http/HttpServerRequest"

/** The media types that an operation can answer in. */
const ANSWERS = ["application/json", "text/event-stream"]

const qualityOf = (parameters: ReadonlyArray<string>): number => {
  const given = parameters.map((parameter) => /^q=([0-9.]+)$/i.exec(parameter.trim())?.[1]).find((q) => q !== undefined)
  return given === undefined ? 1 : Number(given)
}

/**
 * Only a caller who names events gets them, unless JSON is named before them or preferred. What else is accepted does
 * not matter: an answer in JSON is better than none.
 */
export const wantsEvents = ({ headers }: HttpServerRequest): boolean => {
  const [first] = (headers["accept"] ?? "").split(",")
    .map((range) => range.split(";"))
    .map(([type = "", ...parameters]) => ({ type: type.trim().toLowerCase(), quality: qualityOf(parameters) }))
    .filter(({ quality, type }) => ANSWERS.includes(type) && quality > 0)
    .sort((a, b) => b.quality - a.quality)
  return first?.type === "text/event-stream"
}
