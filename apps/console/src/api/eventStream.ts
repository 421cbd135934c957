/**
 * One stream of events for all tabs of a browser, whatever workspaces they show: a browser opens only a few connections
 * to a server, and tabs that each held one would use them up. A tab in sight holds a lock named after its workspace. The
 * tab that holds the lock of the stream follows these workspaces and passes their events on; when that tab is hidden or
 * closed, another one in sight takes the lock and continues after the last event.
 */
import { consoleApi, type LiveEvent } from "./consoleApi.ts"
import type { WorkspaceEvent } from "./models.ts"

type Message =
  | { readonly live: LiveEvent }
  | { readonly connected: boolean }
  /** These workspaces are followed from now on: earlier events are read from their lists. */
  | { readonly started: ReadonlyArray<string> }
  /** A tab shows a workspace, or no longer does. */
  | { readonly changed: true }

interface Follower {
  readonly onEvent: (event: WorkspaceEvent) => void
  readonly onConnected: (connected: boolean) => void
  /** Events may have been missed. */
  readonly onStart: () => void
}

const AGAIN = 2_000
/** The server follows no more in one stream. */
const MOST = 20
const STREAM = "tributary.events"
const WORKSPACE = `${STREAM}.`

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, AGAIN)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      resolve()
    })
  })

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve()))

/** The workspaces of all tabs in sight. */
const shownWorkspaces = async (): Promise<ReadonlyArray<string>> => {
  const { held = [] } = await navigator.locks.query()
  const shown = held.flatMap(({ name = "" }) => name.startsWith(WORKSPACE) ? [name.slice(WORKSPACE.length)] : [])
  return [...new Set(shown)].toSorted().slice(0, MOST)
}

/** Returns a function that ends the subscription. */
export const followEvents = (workspaceId: string, follower: Follower): () => void => {
  const channel = new BroadcastChannel(STREAM)
  /** The number of the last event of each workspace. */
  const last = new Map<string, number>()
  let connected = false
  let visible: AbortController | null = null
  let shown = Promise.resolve()
  /** Of the stream, in the tab that reads it. */
  let leading: { readonly workspaces: ReadonlyArray<string>; readonly restart: AbortController } | null = null

  const receive = (message: Message): void => {
    if ("live" in message) {
      const { event, number, workspace_id } = message.live
      last.set(workspace_id, number)
      if (workspace_id === workspaceId) follower.onEvent(event)
    } else if ("connected" in message) {
      connected = message.connected
      follower.onConnected(connected)
    } else if ("started" in message && message.started.includes(workspaceId)) follower.onStart()
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origins
  const send = (message: Message): void => channel.postMessage(message)
  const publish = (message: Message): void => {
    receive(message)
    send(message)
  }

  const lead = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const restart = new AbortController()
      const workspaces = await shownWorkspaces()
      leading = { workspaces, restart }
      const started = workspaces.filter((id) => !last.has(id))
      try {
        const stream = consoleApi.events(
          workspaces.map((workspace_id) => ({ workspace_id, after: last.get(workspace_id) ?? null })),
          AbortSignal.any([signal, restart.signal]),
          () => {
            publish({ connected: true })
            publish({ started })
          }
        )
        for await (const live of stream) publish({ live })
      } catch {
        if (restart.signal.aborted) continue
        if (!signal.aborted) publish({ connected: false })
      }
      if (!signal.aborted) await pause(signal)
    }
    leading = null
  }

  const followShown = async (): Promise<void> => {
    if (leading === null) return
    const shown = await shownWorkspaces()
    if (shown.join() !== leading?.workspaces.join()) leading?.restart.abort()
    else if (connected) send({ connected })
  }

  const show = async (signal: AbortSignal): Promise<void> => {
    await navigator.locks.request(WORKSPACE + workspaceId, { mode: "shared" }, async () => {
      send({ changed: true })
      navigator.locks.request(STREAM, { signal }, () => lead(signal)).catch(() => {
        // The tab was hidden before it got the lock.
      })
      if (!signal.aborted) await aborted(signal)
    })
    send({ changed: true })
  }
  const start = (): void => {
    visible = new AbortController()
    shown = show(visible.signal)
  }
  const stop = (): void => visible?.abort()

  const listen = ({ data }: MessageEvent<Message>): void => {
    if ("changed" in data) void followShown()
    else receive(data)
  }
  channel.addEventListener("message", listen)
  const look = (): void => {
    stop()
    if (document.hidden) return
    start()
    follower.onStart()
  }
  document.addEventListener("visibilitychange", look)
  if (!document.hidden) start()
  return () => {
    document.removeEventListener("visibilitychange", look)
    channel.removeEventListener("message", listen)
    stop()
    void shown.then(() => channel.close())
  }
}

/** Without a secure context there are no locks: poll for the latest events. */
export const canFollow = (): boolean => "locks" in navigator
