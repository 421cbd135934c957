/**
 * Reports changes in a mailbox over one connection, since servers allow few: one folder immediately, the others by
 * polling.
 */
import { RetryableFailure } from "@tributary/core/ports/Provider"
import { makeWakeUp } from "../wakeUp.ts"
import type { MailClient } from "./MailClient.ts"

interface MailboxWatch {
  readonly folder: string
  readonly others: ReadonlyArray<string>
  /** The polling interval of the other folders. */
  readonly pollMillis: number
}

/** Polling takes at most this share of the time. */
const SHARE = 20

/** Unchanged while no mail arrives or is removed. Empty if the folder is gone or reports nothing. */
const stateOf = async (client: MailClient, folder: string): Promise<string> => {
  const { messages, uidNext, uidValidity } =
    await client.status(folder, { messages: true, uidNext: true, uidValidity: true }).catch(() => false as const) || {}
  return [uidValidity, uidNext, messages].join(" ")
}

/** Emits the folder when the watch starts, then folders that change. The library uses IDLE, or polls. */
export async function* watchMailbox(
  client: MailClient,
  { folder, others, pollMillis }: MailboxWatch
): AsyncGenerator<string> {
  const { heard, ring } = makeWakeUp()
  const states = new Map<string, string>()
  let looking: NodeJS.Timeout | undefined
  let isChanged = true
  let isDue = others.length > 0
  const change = () => {
    isChanged = true
    ring()
  }
  const look = async function*(): AsyncGenerator<string> {
    const began = performance.now()
    for (const other of others) {
      const before = states.get(other)
      const state = await stateOf(client, other)
      if (!client.usable) return
      states.set(other, state)
      if (before !== undefined && state !== before) yield other
    }
    const pause = Math.max(pollMillis, (performance.now() - began) * SHARE)
    looking = setTimeout(() => {
      isDue = true
      ring()
    }, pause)
  }
  await client.mailboxOpen(folder, { readOnly: true })
  client.on("exists", change).on("expunge", change).on("vanished", change).on("close", ring)
  try {
    while (true) {
      if (!client.usable) throw new RetryableFailure({ message: "The mail server has closed the connection." })
      const [hasChanged, looks] = [isChanged, isDue]
      ;[isChanged, isDue] = [false, false]
      if (looks) yield* look()
      if (hasChanged) yield folder
      if (!client.idling) void client.idle().catch(() => undefined)
      await heard()
    }
  } finally {
    clearTimeout(looking)
  }
}
