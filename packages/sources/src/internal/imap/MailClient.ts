/**
 * The library's client expands ranges of expunged mails into single numbers: `1:4294967295` exhausts the memory. This
 * one reports the ranges as the server sends them, in the event `vanished`, or `vanishedEarlier` as part of a response.
 */
import { ImapFlow, type ImapFlowOptions } from "imapflow"
import { fetchSources, type Piece, plainSource, type Response, type Source } from "./fetchSources.ts"
import { uidRanges } from "./uidRanges.ts"

interface Answer {
  readonly attributes?: ReadonlyArray<ReadonlyArray<unknown> | { readonly value?: unknown }>
}

const SOURCES = "SOURCES"

/** Internals of the library; whether it keeps listening. */
const handled = Reflect.get(ImapFlow.prototype, "handleResponse") as (
  this: ImapFlow,
  response: Response
) => Promise<boolean>

export class MailClient extends ImapFlow {
  declare private commands: ReadonlyMap<string, unknown>
  declare private run: (command: string, ...given: ReadonlyArray<unknown>) => Promise<unknown>

  hears: ((source: Source) => void) | null = null

  constructor(options: ImapFlowOptions) {
    super(options)
    this.commands = new Map(this.commands).set(SOURCES, fetchSources)
  }

  /** The mails with these UIDs, such as `1:3,7`, in the server's order. Missing ones are left out. */
  fetchSources(uids: string, piece: Piece): Promise<ReadonlyArray<Source>> {
    // Sending a command through the library ends its IDLE first.
    return this.run(SOURCES, uids, piece) as ReturnType<typeof fetchSources>
  }

  handleResponse(response: Response): Promise<boolean> | boolean {
    const source = this.hears === null ? null : plainSource(response)
    if (source === null) return handled.call(this, response)
    this.hears?.(source)
    return true
  }

  untaggedVanished({ attributes = [] }: Answer): void {
    const [first] = attributes
    const isEarlier = Array.isArray(first)
    const uids = attributes[isEarlier ? 1 : 0]
    if (uids === undefined || !("value" in uids) || typeof uids.value !== "string") return
    if (isEarlier) return void this.emit("vanishedEarlier", uids.value)
    // Mails that arrive later are reported by their number.
    if (this.mailbox !== false) {
      for (const { first, last } of uidRanges(uids.value)) this.mailbox.exists -= last - first + 1
    }
    this.emit("vanished", uids.value)
  }
}
