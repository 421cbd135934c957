/**
 * Answers plain requests on Node without Effect's adapter, which costs a sixth of a small request. What is unusual is
 * left to that adapter: HEAD, bodies of unknown length and HTTP/2; requests before their body (`100 Continue`), which have
 * an event of their own; and of the others, answers that are streams or long, have no text, or come before the
 * request's body is read.
 */
import { isCollected } from "@tributary/core/collectedTraces"
import { Context, Effect, Exit, Fiber, Scope } from "effect"
import * as Cookies from "effect/http/Cookies"
import * as HttpServer from "effect/http/HttpServer"
import { ClientAbort } from "effect/http/HttpServerError"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { type IncomingMessage, type Server, ServerResponse } from "node:http"
import { inTurn, type NodeListener } from "./inTurn.ts"
import { NodeRequest } from "./NodeRequest.ts"

/** In bytes. For longer texts, joining them with the head costs as much as a second write. */
const SHORT = 16_384

/** As many services are added to the context of a request; beyond it, the platform copies all services. */
const REQUEST_SERVICES = 24

const METHODS = new Set<string | undefined>(["GET", "POST", "PATCH", "PUT", "DELETE"])

const isPlain = ({ headers, httpVersionMajor, method, url }: IncomingMessage, response: ServerResponse): boolean =>
  httpVersionMajor === 1 && METHODS.has(method) && url?.startsWith("/") === true &&
  headers["transfer-encoding"] === undefined && headers["upgrade"] === undefined && response instanceof ServerResponse

/** An unread body of a request affects the connection. */
const isRead = ({ complete, headers }: IncomingMessage): boolean => complete || headers["content-length"] === undefined

/** Node drops such a body and keeps its length. */
const isWithoutBody = (status: number): boolean => status < 200 || status === 204 || status === 205 || status === 304

/** A body that was sent with its head has arrived then, so that the request is answered in one step. */
const whenArrived = (request: IncomingMessage, response: ServerResponse, run: NodeListener): void => {
  if (request.headers["content-length"] === undefined) return run(request, response)
  setImmediate(() => {
    if (!response.destroyed) run(request, response)
  })
}

/** Sends a short text with one write. */
const send = (request: IncomingMessage, response: ServerResponse, answer: HttpServerResponse): boolean => {
  const { body, cookies, headers, status, statusText } = answer
  if (body._tag !== "Uint8Array" || body.text === undefined || body.contentLength > SHORT) return false
  if (isWithoutBody(status) || !Cookies.isEmpty(cookies)) return false
  if (!isRead(request) || response.destroyed || response.headersSent) return false
  const flat: Array<string> = []
  for (const name in headers) flat.push(name, headers[name]!)
  try {
    response.writeHead(status, statusText, flat)
  } catch {
    // Effect's adapter answers 500 and reports the header that Node refuses.
    return false
  }
  // As many bytes as characters are ASCII, which Node writes as it is.
  response.end(body.text, body.text.length === body.contentLength ? "latin1" : "utf8")
  return true
}

type App<E> = Effect.Effect<HttpServerResponse, E, HttpServerRequest | Scope.Scope>

interface Answered<E> {
  readonly exit: Exit.Exit<HttpServerResponse, E>
  readonly scope: Scope.Closeable
}

/** The application, except for requests that it has answered. */
const answering = <E>(app: App<E>, answered: WeakMap<object, Answered<E>>): App<E> =>
  Effect.withFiber(({ context }) => {
    const { source } = Context.getUnsafe(context, HttpServerRequest)
    const answer = answered.get(source)
    if (answer === undefined) return app
    // What the answer needs is released when it is sent.
    return Effect.andThen(Effect.addFinalizer((sent) => Scope.close(answer.scope, sent)), answer.exit)
  })

/** Nothing waits for its end. */
const release = <E>({ exit, scope }: Answered<E>, services: Context.Context<never>): void => {
  // V8 may take scopes for what lives long, and a closed one keeps its answer.
  if (scope.state._tag === "Empty") return
  const closed = Scope.closeUnsafe(scope, exit)
  if (closed !== undefined) Effect.runForkWith(services)(closed)
}

/**
 * The listener of an application. `adapt` makes that of Effect's adapter; it gets an application that knows the answers
 * which the adapter shall send.
 */
export const listenerOf = <E, R>(
  app: App<E>,
  scope: Scope.Scope,
  adapt: (app: App<E>) => Effect.Effect<NodeListener, never, R>
): Effect.Effect<NodeListener, never, R> =>
  Effect.withFiber((parent) => {
    // Effect's adapter makes the spans of a host's own tracer.
    if (isCollected(parent)) return adapt(app)
    const services: Context.Context<never> = Context.makeUnsafe(new Map(parent.context.mapUnsafe), {
      maxDepth: REQUEST_SERVICES
    })
    const answered = new WeakMap<object, Answered<E>>()

    return Effect.map(adapt(answering(app, answered)), (platform): NodeListener => {
      const answer = (request: IncomingMessage, response: ServerResponse, given: Answered<E>): void => {
        if (Exit.isSuccess(given.exit) && send(request, response, given.exit.value)) return release(given, services)
        answered.set(request, given)
        platform(request, response)
      }

      const run = (request: IncomingMessage, response: ServerResponse): void => {
        const requestScope = Scope.makeUnsafe()
        const within = Context.add(services, Scope.Scope, requestScope)
        const context = Context.add(within, HttpServerRequest, new NodeRequest(request))
        // The router allows interrupting a route; what surrounds it answers for the interrupted one.
        const fiber = Effect.runForkWith(context)(app, { uninterruptible: true })
        const exit = fiber.pollUnsafe()
        if (exit !== undefined) return answer(request, response, { exit, scope: requestScope })
        Fiber.runIn(fiber, scope)
        response.on("close", () => {
          if (!response.writableEnded) fiber.interruptUnsafe(parent.id, ClientAbort.annotation)
        })
        fiber.addObserver((exit) => answer(request, response, { exit, scope: requestScope }))
      }

      return (request, response) =>
        isPlain(request, response) ? whenArrived(request, response, run) : platform(request, response)
    })
  })

/** Serves an application with a server that Effect's adapter listens with. */
export const serve = <E>(server: Server, app: App<E>) =>
  Effect.gen(function*() {
    // Made before the adapter serves, so that it closes after the server has stopped.
    const scope = yield* Scope.fork(yield* Effect.scope, "parallel")
    const listener = yield* listenerOf(app, scope, (app) =>
      Effect.map(HttpServer.serveEffect(app), () => {
        const take = (event: "request" | "checkContinue") => {
          const platform = server.listeners(event).at(-1) as NodeListener
          server.off(event, platform)
          return platform
        }
        const platform = take("request")
        server.on("checkContinue", inTurn(take("checkContinue")))
        // Without a listener, Node ignores an offer of another protocol, which HTTP/2 clients make with any request.
        server.off("upgrade", server.listeners("upgrade").at(-1) as NodeListener)
        return platform
      }))
    server.on("request", inTurn(listener))
  })
