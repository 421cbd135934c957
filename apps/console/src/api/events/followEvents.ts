/**
 * One stream of events for all tabs of a browser, whatever workspaces they show: a browser opens only a few connections
 * to a server, and tabs that each held one would use them up. The tab that holds the lock of the stream reads it; when
 * that tab is hidden or closed, another one in sight takes the lock and continues after the last event.
 */
import type { WorkspaceEvent } from "../models.ts"
import { type Message, SharedStream } from "./SharedStream.ts"
import { whileShown } from "./shownWorkspaces.ts"

interface Follower {
  readonly onEvent: (event: WorkspaceEvent) => void
  readonly onConnected: (connected: boolean) => void
  /** Events may have been missed. */
  readonly onStart: () => void
}

/** The name of the channel between the tabs, and of the lock. */
const STREAM = "tributary.events"

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.aborted ? resolve() : signal.addEventListener("abort", () => resolve()))

/** Returns a function that ends the subscription. */
export const followEvents = (workspaceId: string, follower: Follower): () => void => {
  const channel = new BroadcastChannel(STREAM)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origins
  const send = (message: Message): void => channel.postMessage(message)

  const receive = (message: Message): void => {
    if ("live" in message) {
      stream.received(message.live)
      if (message.live.workspace_id === workspaceId) follower.onEvent(message.live.event)
    } else if ("connected" in message) follower.onConnected(message.connected)
    else if ("started" in message) {
      if (message.started.includes(workspaceId)) follower.onStart()
    } else void stream.update()
  }
  const stream = new SharedStream((message) => {
    receive(message)
    send(message)
  })

  const show = async (signal: AbortSignal): Promise<void> => {
    await whileShown(workspaceId, () => {
      send({ changed: true })
      navigator.locks.request(STREAM, { signal }, () => stream.read(signal)).catch(() => {
        // The tab was hidden before it got the lock.
      })
      return aborted(signal)
    })
    send({ changed: true })
  }

  let visible = new AbortController()
  let hidden = Promise.resolve()
  const start = (): void => {
    visible = new AbortController()
    hidden = show(visible.signal)
  }
  const onVisibility = (): void => {
    visible.abort()
    if (document.hidden) return
    start()
    follower.onStart()
  }
  const onMessage = ({ data }: MessageEvent<Message>): void => receive(data)

  channel.addEventListener("message", onMessage)
  document.addEventListener("visibilitychange", onVisibility)
  if (!document.hidden) start()
  return () => {
    document.removeEventListener("visibilitychange", onVisibility)
    channel.removeEventListener("message", onMessage)
    visible.abort()
    void hidden.then(() => channel.close())
  }
}

/** Without a secure context there are no locks: poll for the latest events. */
export const canFollow = (): boolean => "locks" in navigator
