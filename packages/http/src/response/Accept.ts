/** Whether a caller's Accept header asks for events. */
import type { HttpServerRequest } from "effect/http/HttpServerRequest"

/** The media types of an operation. */
const ANSWERS = ["application/json", "text/event-stream"]

const qualityOf = (parameters: ReadonlyArray<string>): number => {
  const given = parameters.map((parameter) => /^q=([0-9.]+)$/i.exec(parameter.trim())?.[1]).find((q) => q !== undefined)
  return given === undefined ? 1 : Number(given)
}

/**
 * Events only for a caller that names them, unless JSON comes first or is preferred. Other types are ignored: JSON is
 * better than no answer.
 */
export const wantsEvents = ({ headers }: HttpServerRequest): boolean => {
  const [first] = (headers["accept"] ?? "").split(",")
    .map((range) => range.split(";"))
    .map(([type = "", ...parameters]) => ({ type: type.trim().toLowerCase(), quality: qualityOf(parameters) }))
    .filter(({ quality, type }) => ANSWERS.includes(type) && quality > 0)
    .sort((a, b) => b.quality - a.quality)
  return first?.type === "text/event-stream"
}
