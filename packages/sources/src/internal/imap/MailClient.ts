/**
 * The library's client, which makes a number of each mail that a server says is gone: of `1:4294967295`, more than fit
 * into memory. Here they are reported as the server writes them, by the event `vanished`, and by `vanishedEarlier` where they
 * answer a question.
 */
import { ImapFlow, type ImapFlowOptions } from "imapflow"
import { fetchSources, type Piece, plainSource, type Response, type Source } from "./fetchSources.ts"
import { uidRanges } from "./uidRanges.ts"

interface Answer {
  readonly attributes?: ReadonlyArray<ReadonlyArray<unknown> | { readonly value?: unknown }>
}

const SOURCES = "SOURCES"

/** The library's own; whether it goes on to listen. */
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

  /** Of the mails with these numbers, as `1:3,7`, in the server's order; those that are not there are left out. */
  fetchSources(uids: string, piece: Piece): Promise<ReadonlyArray<Source>> {
    // The library's way to a command ends its waiting for news first.
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
    // A mail that comes afterwards is heard of by their number.
    if (this.mailbox !== false) {
      for (const { first, last } of uidRanges(uids.value)) this.mailbox.exists -= last - first + 1
    }
    this.emit("vanished", uids.value)
  }
}
