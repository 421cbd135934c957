/** Whether a quote is long enough to prove something: at least a clause, or else a whole cell, item, line or sentence. */
import { type Span, UNSPACED } from "@tributary/retrieval"

/** Fewer words are a phrase. */
const CLAUSE_WORDS = 3

/** About as much where words are not separated. */
const CLAUSE_CHARACTERS = 5

const CLOSERS = String.raw`[*_${"`"}"'”’»)\]]*`

const UNIT_START = /(?:^|[\n|\t]|[:.!?;]\s|[。！？；：])[\s*_`>#"'“„‘«([+•–—-]*$/u

const UNIT_END = new RegExp(
  String.raw`^${CLOSERS}(?:[.!?;]${CLOSERS}(?=\s|$)|[。！？；]|[.,;:]?${CLOSERS}[ \u00A0]*(?=$|[\r\n|\t]))`,
  "u"
)

const isWholeUnit = (text: string, { end, start }: Span): boolean =>
  UNIT_START.test(text.slice(Math.max(0, start - 40), start)) &&
  (UNIT_END.test(text.slice(end, end + 40)) || /[.!?;。！？；]$/u.test(text.slice(start, end)))

export const isClauseOrCell = (text: string, span: Span): boolean => {
  const quote = text.slice(span.start, span.end)
  return (quote.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) >= CLAUSE_WORDS ||
    [...quote].filter((character) => UNSPACED.test(character)).length >= CLAUSE_CHARACTERS ||
    (/[\p{L}\p{N}]/u.test(quote) && isWholeUnit(text, span))
}
