/**
 * Fetches mails, or a part of each, as the server stores them.
 *
 * The library's own command serializes each response again and hashes each mail's address, which takes as long as
 * everything else. It also formats each response for its log, even if logging is off.
 */
export interface Piece {
  readonly start: number
  readonly maxLength: number
}

export interface Source {
  readonly uid: number
  readonly received: Date
  /** The size of the whole mail; some servers estimate it. */
  readonly size: number
  readonly source: Buffer
}

interface Token {
  readonly value?: unknown
}

interface Answer {
  readonly attributes?: ReadonlyArray<Token | ReadonlyArray<Token | null> | null>
}

/** The fields that the library's own commands use. */
export interface CommandLine {
  exec(
    command: string,
    attributes: ReadonlyArray<unknown>,
    options: { readonly untagged: Readonly<Record<string, (answer: Answer) => void>> }
  ): Promise<{ readonly next: () => void }>
  close(): void
  /** Handles simple responses, which the library then need not parse; null if there is no handler. */
  hears: ((source: Source) => void) | null
}

/** More than are requested at once. */
const MAX_BYTES = 67_108_864

const textOf = (token: Token | null | undefined): string => `${token?.value ?? ""}`

/** Zero if it is not a number. */
const numberOf = (token: Token | null | undefined): number => {
  const number = Number(textOf(token))
  return Number.isSafeInteger(number) && number > 0 ? number : 0
}

const dateOf = (token: Token | null | undefined): Date => {
  const date = new Date(textOf(token))
  return Number.isNaN(date.getTime()) ? new Date(0) : date
}

/** Null for a mail that was deleted meanwhile, and for an unrelated response. */
const sourceOf = ({ attributes = [] }: Answer): Source | null => {
  const listed = attributes[1]
  if (!Array.isArray(listed)) return null
  const values = new Map<string, Token | null>()
  for (let at = 0; at < listed.length; at += 2) values.set(textOf(listed[at]).toUpperCase(), listed[at + 1])
  const uid = numberOf(values.get("UID"))
  const body = values.get("BODY")?.value
  // Short values may arrive as a string.
  const source = typeof body === "string" ? Buffer.from(body) : body
  if (uid === 0 || !(source instanceof Buffer)) return null
  return {
    uid,
    source,
    size: numberOf(values.get("RFC822.SIZE")),
    received: dateOf(values.get("INTERNALDATE"))
  }
}

/** A response as it arrived: its lines, and the literals that they announce. */
export interface Response {
  readonly payload: Buffer
  readonly literals: ReadonlyArray<Buffer>
}

/** The format of nearly all servers, in the order of the request. */
const PLAIN =
  /^\* \d+ FETCH \(UID (\d{1,10}) INTERNALDATE "([^"\\]+)" RFC822\.SIZE (\d{1,15}) BODY\[\](?:<\d+>)? \{\d+\}\r?\n\)$/

const MAX_LINE = 300

/** The same for a response with nothing else in it; null otherwise. */
export const plainSource = ({ literals: [source, ...others], payload }: Response): Source | null => {
  if (source === undefined || others.length > 0 || payload.length > MAX_LINE) return null
  const [, uid, received = "", size] = PLAIN.exec(payload.toString("latin1")) ?? []
  const date = new Date(received)
  if (Number(uid) > 0 && !Number.isNaN(date.getTime())) {
    return { uid: Number(uid), received: date, size: Number(size), source }
  }
  return null
}

const atom = (value: string) => ({ type: "ATOM", value })

/** `uids` such as `1:3,7`. In the server's order. */
export const fetchSources = async (
  line: CommandLine,
  uids: string,
  { maxLength, start }: Piece
): Promise<ReadonlyArray<Source>> => {
  const sources: Array<Source> = []
  let bytes = 0
  const keep = (source: Source): void => {
    bytes += source.source.length
    if (bytes > MAX_BYTES) return line.close()
    sources.push(source)
  }
  const hear = (answer: Answer): void => {
    const source = sourceOf(answer)
    if (source !== null) keep(source)
  }
  const piece = { ...atom("BODY.PEEK"), section: [], partial: [start, maxLength] }
  const items = [atom("UID"), atom("INTERNALDATE"), atom("RFC822.SIZE"), piece]
  line.hears = keep
  try {
    const done = await line.exec("UID FETCH", [{ type: "SEQUENCE", value: uids }, items], { untagged: { FETCH: hear } })
    done.next()
    return sources
  } finally {
    line.hears = null
  }
}
