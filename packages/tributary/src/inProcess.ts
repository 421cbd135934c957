/** Runs the service and answers the client's requests while it is open. */
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import { AuditStore } from "@tributary/core/ports/AuditStore"
import { PeopleStore } from "@tributary/core/ports/PeopleStore"
import { SessionStore } from "@tributary/core/ports/SessionStore"
import { yieldIfOver } from "@tributary/core/Slices"
import * as Tributary from "@tributary/core/Tributary"
import * as Extract from "@tributary/extract/Extract"
import { ConnectionError } from "@tributary/client/TributaryError"
import { openRequests } from "@tributary/http/openRequests"
import { handlerOf } from "@tributary/http/WebHandler"
import { Context, Effect, Exit, Layer, ManagedRuntime, Option, Scope } from "effect"
import { type HandlerOptions, handlersOver, type NodeHandler, type WebHandler } from "./handlers.ts"
import { Transport } from "./transport.ts"

const defaults = Layer.merge(Extract.layer, ExtractiveAnswerer.layer)

/**
 * The ports of a backend. It may also provide a `TextExtractor`, an `Answerer`, and the three ports for people: with
 * `PeopleStore`, `SessionStore` and `AuditStore`, the console can be mounted.
 */
export type Backend<E> = Layer.Layer<
  Exclude<Layer.Services<typeof Tributary.layerKnowledge>, Layer.Success<typeof defaults>>,
  E
>

const people = Layer.unwrap(
  Effect.gen(function*() {
    const ports = Option.all([
      yield* Effect.serviceOption(PeopleStore),
      yield* Effect.serviceOption(SessionStore),
      yield* Effect.serviceOption(AuditStore)
    ])
    if (Option.isNone(ports)) return Layer.empty
    const [people, sessions, audit] = ports.value
    return Layer.provide(
      Tributary.layerPeople,
      Layer.mergeAll(
        Layer.succeed(PeopleStore, people),
        Layer.succeed(SessionStore, sessions),
        Layer.succeed(AuditStore, audit)
      )
    )
  })
)

const service = Layer.merge(Tributary.layerKnowledge, people)

export interface InProcess {
  readonly fetch: typeof globalThis.fetch
  /** Lets the client in as the operator of the service. */
  readonly operatorToken: string
  /** Lets the client in to a workspace, as the operator of the service. */
  readonly credentialFor: (workspaceId: string) => string
  /** The account of new workspaces unless another one is given. */
  readonly account: string | undefined
  readonly handler: (options: HandlerOptions) => Promise<WebHandler>
  readonly nodeHandler: (options: HandlerOptions) => Promise<NodeHandler>
  readonly close: () => Promise<void>
}

/** Calls that take longer than this to finish are cut off. */
const GRACE = 10_000

/** A storage that takes longer than this to be released does not answer, and may never. */
const RELEASE = 20_000

const atMost = (millis: number, work: Promise<void>): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, millis)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

const CLOSED = new ConnectionError({ code: "closed", message: "The knowledge base is closed." })

export const inProcess = async <E>(backend: Backend<E>, account: string | undefined): Promise<InProcess> => {
  const requests = openRequests()
  const runtime = ManagedRuntime.make(
    Transport.layer(requests.stopped).pipe(
      Layer.provideMerge(service),
      Layer.provideMerge(Layer.merge(defaults, backend))
    )
  )
  const context = await runtime.context()
  const { app, ...credentials } = Context.get(context, Transport)
  const handle = await Effect.runPromise(Effect.provide(handlerOf(requests.counted(app)), context))
  const mounts = Scope.makeUnsafe()
  const inFlight = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  const tracked = <A>(answer: Promise<A>): Promise<A> => {
    inFlight.add(answer)
    return answer.finally(() => inFlight.delete(answer))
  }

  /** A body of unknown length takes turns with other large ones, in case it is. */
  const requestOf = (...[input, init]: Parameters<typeof globalThis.fetch>): Request => {
    const request = new Request(input, init)
    const body = init?.body
    if (body instanceof Uint8Array) request.headers.set("content-length", String(body.length))
    return request
  }

  // Where nothing waits for a socket or a disk, one call after the other would never leave the turn.
  const answer = async (request: Request): Promise<Response> => {
    await Effect.runPromise(yieldIfOver)
    return handle(request)
  }

  const whileOpen = <A>(make: () => Promise<A>): Promise<A> => closing === undefined ? make() : Promise.reject(CLOSED)

  const fetch: typeof globalThis.fetch = (input, init) => whileOpen(() => tracked(answer(requestOf(input, init))))

  const handlers = handlersOver(context, mounts, requests)

  const settled = () => Promise.allSettled(inFlight).then(() => Effect.runPromise(requests.idle))

  const release = async () => {
    await Effect.runPromise(requests.cut)
    await Effect.runPromise(Scope.close(mounts, Exit.void))
    await runtime.dispose()
  }

  const end = async () => {
    Effect.runSync(requests.stop)
    await atMost(GRACE, settled())
    await atMost(RELEASE, release())
  }

  const close = () => closing ??= end()

  return {
    ...credentials,
    account,
    fetch,
    handler: (options) => whileOpen(() => handlers.handler(options)),
    nodeHandler: (options) => whileOpen(() => handlers.nodeHandler(options)),
    close
  }
}
