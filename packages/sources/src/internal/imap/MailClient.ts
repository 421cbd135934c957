import { ImapFlow } from "imapflow"
import { uidRanges } from "./uidRanges.ts"

interface Answer {
  readonly attributes?: ReadonlyArray<ReadonlyArray<unknown> | { readonly value?: unknown }>
}

/**
 * The library's client, which makes a number of each mail that a server says is gone: of `1:4294967295`, more than fit
 * into memory. Here they are told as the server writes them, by the event `vanished`, and by `vanishedEarlier` where they
 * answer a question.
 */
export class MailClient extends ImapFlow {
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
