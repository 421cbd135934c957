/**
 * One stream of a workspace's events for all tabs of a browser: a browser opens only a few connections to a server, and
 * tabs that each held one would use them up. The tab that holds the lock reads the stream and passes it on; when that
 * tab is hidden or closed, another one that is in sight takes the lock and continues after the last event.
 */
import type { WorkspaceEvent } from "./models.ts"
import type { Client, LiveEvent } from "./workspaceClient.ts"

type Message = { readonly live: LiveEvent } | { readonly connected: boolean } | { readonly isConnected: "?" }

export interface Follower {
  readonly onEvent: (event: WorkspaceEvent) => void
  readonly onConnected: (connected: boolean) => void
  /** The tab is visible again and may have missed events. */
  readonly onReturn: () => void
}

const AGAIN = 2_000
/** A stream that is still open after this long counts as connected. */
const SETTLED = 1_000

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, AGAIN)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Returns a function that ends the subscription. */
export const followEvents = (client: Client, workspaceId: string, follower: Follower): () => void => {
  const name = `tributary.events.${workspaceId}`
  const channel = new BroadcastChannel(name)
  let last: string | undefined
  let connected = false
  let leading: AbortController | null = null

  const receive = (message: Message): void => {
    if ("live" in message) {
      last = message.live.id
      follower.onEvent(message.live.event)
    } else if ("connected" in message) {
      connected = message.connected
      follower.onConnected(connected)
    }
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origins
  const send = (message: Message): void => channel.postMessage(message)
  const publish = (message: Message): void => {
    receive(message)
    send(message)
  }

  const lead = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const settled = setTimeout(() => publish({ connected: true }), SETTLED)
      try {
        const stream = client.events.live({ signal, after: last })
        for await (const live of stream) publish({ live })
      } catch {
        if (!signal.aborted) publish({ connected: false })
      } finally {
        clearTimeout(settled)
      }
      if (!signal.aborted) await pause(signal)
    }
  }

  const start = (): void => {
    if (leading !== null) return
    const own = new AbortController()
    leading = own
    navigator.locks.request(name, { signal: own.signal }, () => lead(own.signal)).catch(() => {
      // The tab was hidden before it got the lock.
    })
    send({ isConnected: "?" })
  }
  const stop = (): void => {
    leading?.abort()
    leading = null
  }

  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (!("isConnected" in data)) receive(data)
    else if (leading !== null && connected) send({ connected: true })
  })
  const look = (): void => {
    if (document.hidden) return stop()
    start()
    follower.onReturn()
  }
  document.addEventListener("visibilitychange", look)
  if (!document.hidden) start()
  return () => {
    document.removeEventListener("visibilitychange", look)
    stop()
    channel.close()
  }
}

/** Without a secure context there are no locks: poll for the latest events. */
export const canFollow = (): boolean => "locks" in navigator
