/**
 * Mails as the server has them, or a piece of each.
 *
 * The library's own command writes out each answer once more to see what it says, and makes a digest of each mail's
 * address, which takes as long as everything else. Before that it makes a line for its log of each response, logged or not.
 */
export interface Piece {
  readonly start: number
  readonly maxLength: number
}

export interface Source {
  readonly uid: number
  readonly received: Date
  /** Of the whole mail: an estimate, at times. */
  readonly size: number
  readonly source: Buffer
}

interface Token {
  readonly value?: unknown
}

interface Answer {
  readonly attributes?: ReadonlyArray<Token | ReadonlyArray<Token | null> | null>
}

/** What the library's own commands have of it. */
export interface CommandLine {
  exec(
    command: string,
    attributes: ReadonlyArray<unknown>,
    options: { readonly untagged: Readonly<Record<string, (answer: Answer) => void>> }
  ): Promise<{ readonly next: () => void }>
  close(): void
  /** Hears of plain answers, which the library need not take apart; null when nobody does. */
  hears: ((source: Source) => void) | null
}

/** More than what is asked for at a time. */
const MAX_BYTES = 67_108_864

const textOf = (token: Token | null | undefined): string => `${token?.value ?? ""}`

/** Zero where it is none. */
const numberOf = (token: Token | null | undefined): number => {
  const number = Number(textOf(token))
  return Number.isSafeInteger(number) && number > 0 ? number : 0
}

const dateOf = (token: Token | null | undefined): Date => {
  const date = new Date(textOf(token))
  return Number.isNaN(date.getTime()) ? new Date(0) : date
}

/** Null of a mail that was deleted meanwhile, and where something else is told of one. */
const sourceOf = ({ attributes = [] }: Answer): Source | null => {
  const told = attributes[1]
  if (!Array.isArray(told)) return null
  const values = new Map<string, Token | null>()
  for (let at = 0; at < told.length; at += 2) values.set(textOf(told[at]).toUpperCase(), told[at + 1])
  const uid = numberOf(values.get("UID"))
  const body = values.get("BODY")?.value
  // Few bytes may come as a string.
  const source = typeof body === "string" ? Buffer.from(body) : body
  if (uid === 0 || !(source instanceof Buffer)) return null
  return {
    uid,
    source,
    size: numberOf(values.get("RFC822.SIZE")),
    received: dateOf(values.get("INTERNALDATE"))
  }
}

/** A response as it came: its lines, and apart from them what they announce as literals. */
export interface Response {
  readonly payload: Buffer
  readonly literals: ReadonlyArray<Buffer>
}

/** As nearly all servers answer, in the order of the question. */
const PLAIN =
  /^\* \d+ FETCH \(UID (\d{1,10}) INTERNALDATE "([^"\\]+)" RFC822\.SIZE (\d{1,15}) BODY\[\](?:<\d+>)? \{\d+\}\r?\n\)$/

const LONGEST = 300

/** The same of a response that says nothing else; null of any other. */
export const plainSource = ({ literals: [source, ...others], payload }: Response): Source | null => {
  if (source === undefined || others.length > 0 || payload.length > LONGEST) return null
  const [, uid, received = "", size] = PLAIN.exec(payload.toString("latin1")) ?? []
  const date = new Date(received)
  if (Number(uid) > 0 && !Number.isNaN(date.getTime())) {
    return { uid: Number(uid), received: date, size: Number(size), source }
  }
  return null
}

const atom = (value: string) => ({ type: "ATOM", value })

/** `uids` as `1:3,7`. In the server's order. */
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
