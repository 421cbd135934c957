/**
 * Running calls on this node, by client, so that `notifications/cancelled`, which is a separate request, ends the right
 * one. Nothing is kept of a finished call.
 */
interface Call {
  /** Distinguishes clients: the credential's principal. */
  readonly client: string
  /** The session id that the server gave at `initialize`. Without one, two clients could use the same request ids. */
  readonly sessionId: string | undefined
  readonly requestId: unknown
}

const keyOf = ({ client, requestId, sessionId }: Call): string | undefined =>
  sessionId === undefined || (typeof requestId !== "string" && typeof requestId !== "number")
    ? undefined
    : JSON.stringify([client, sessionId, requestId])

export class RunningCalls {
  readonly #calls = new Map<string, AbortController>()

  /** Returns what to call when it has ended. */
  begin(call: Call, controller: AbortController): () => void {
    const key = keyOf(call)
    if (key === undefined) return () => {}
    this.#calls.set(key, controller)
    return () => {
      if (this.#calls.get(key) === controller) this.#calls.delete(key)
    }
  }

  cancel(call: Call): void {
    const key = keyOf(call)
    if (key !== undefined) this.#calls.get(key)?.abort()
  }
}
