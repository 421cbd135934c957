/** Reads the events of all shown workspaces in one stream, and passes them on to all tabs. */
import { consoleApi, type LiveEvent } from "../consoleApi.ts"
import { pause } from "../pause.ts"
import { shownWorkspaces } from "./shownWorkspaces.ts"

export type Message =
  | { readonly live: LiveEvent }
  | { readonly connected: boolean }
  /** These workspaces are followed from now on: earlier events are read from their lists. */
  | { readonly started: ReadonlyArray<string> }
  /** A tab shows a workspace, or no longer does. */
  | { readonly changed: true }

/** Milliseconds until a lost stream is opened again. */
const PAUSE = 2_000

export class SharedStream {
  readonly #publish: (message: Message) => void
  /** The number of the last event of each workspace. */
  readonly #last = new Map<string, number>()
  /** Of the open stream; null in tabs that read none. */
  #open: { readonly workspaces: ReadonlyArray<string>; readonly restart: AbortController } | null = null
  #isConnected = false

  constructor(publish: (message: Message) => void) {
    this.#publish = publish
  }

  /** A stream that this tab opens later continues after this event. */
  received({ number, workspace_id }: LiveEvent): void {
    this.#last.set(workspace_id, number)
  }

  /** Reads until the signal aborts, and opens the stream again when it ends or fails. */
  async read(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const restart = new AbortController()
      const workspaces = await shownWorkspaces()
      this.#open = { workspaces, restart }
      try {
        await this.#readOnce(workspaces, AbortSignal.any([signal, restart.signal]))
      } catch {
        if (restart.signal.aborted) continue
        if (!signal.aborted) this.#report(false)
      }
      if (!signal.aborted) await pause(PAUSE, signal)
    }
    this.#open = null
  }

  async #readOnce(workspaces: ReadonlyArray<string>, signal: AbortSignal): Promise<void> {
    const started = workspaces.filter((id) => !this.#last.has(id))
    const positions = workspaces.map((workspace_id) => ({ workspace_id, after: this.#last.get(workspace_id) ?? null }))
    const onOpen = () => {
      this.#report(true)
      this.#publish({ started })
    }
    for await (const live of consoleApi.events(positions, signal, onOpen)) this.#publish({ live })
  }

  #report(connected: boolean): void {
    this.#isConnected = connected
    this.#publish({ connected })
  }

  /** Restarts the stream if tabs show other workspaces now. Otherwise a new tab only learns whether it is connected. */
  async update(): Promise<void> {
    if (this.#open === null) return
    const shown = await shownWorkspaces()
    if (shown.join() !== this.#open?.workspaces.join()) this.#open?.restart.abort()
    else if (this.#isConnected) this.#publish({ connected: true })
  }
}
