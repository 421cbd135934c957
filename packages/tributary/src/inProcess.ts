/** Runs the service and answers the client's requests, for as long as it is open. */
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as Tributary from "@tributary/core/Tributary"
import * as Extract from "@tributary/extract/Extract"
import { Context, Layer, ManagedRuntime } from "effect"
import * as HttpEffect from "effect/http/HttpEffect"
import { Transport } from "./transport.ts"

const defaults = Layer.merge(Extract.layer, ExtractiveAnswerer.layer)

/** What a backend must provide; a `TextExtractor` or an `Answerer` only if it wants another than the service's own. */
export type Backend<E> = Layer.Layer<
  Exclude<Layer.Services<typeof Tributary.layer>, Layer.Success<typeof defaults>>,
  E
>

export interface InProcess {
  readonly fetch: typeof globalThis.fetch
  /** Lets the client in as whoever runs the service. */
  readonly operatorToken: string
  /** Lets the client in to a workspace, as whoever runs the service. */
  readonly credentialFor: (workspaceId: string) => string
  readonly close: () => Promise<void>
}

/** Calls that take longer than this to finish are cut off. */
const GRACE = 10_000

export const inProcess = async <E>(backend: Backend<E>): Promise<InProcess> => {
  const runtime = ManagedRuntime.make(
    Transport.layer.pipe(
      Layer.provideMerge(Tributary.layer),
      Layer.provideMerge(Layer.merge(defaults, backend))
    )
  )
  const context = await runtime.context()
  const { app, ...credentials } = Context.get(context, Transport)
  const handle = HttpEffect.toWebHandler(app)
  const underWay = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  const fetch: typeof globalThis.fetch = (input, init) => {
    if (closing !== undefined) return Promise.reject(new TypeError("The knowledge base is closed."))
    const answer = handle(new Request(input, init), context)
    underWay.add(answer)
    return answer.finally(() => underWay.delete(answer))
  }

  const settled = () => {
    const grace = Promise.withResolvers<void>()
    const timer = setTimeout(grace.resolve, GRACE)
    return Promise.race([Promise.allSettled(underWay), grace.promise]).finally(() => clearTimeout(timer))
  }

  const close = () => closing ??= settled().then(() => runtime.dispose())

  return { ...credentials, fetch, close }
}
