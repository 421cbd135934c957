/** Signing in by an identity provider, with two redirects. No request can influence where they lead. */
import { ClientAddress } from "@tributary/core/AuditLog"
import { Sessions } from "@tributary/core/Sessions"
import { Context, Effect, Option } from "effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { coded } from "../response/Failures.ts"
import { settingCookie, settingSignInState, signInState } from "./SessionCookie.ts"

const START = "/console/api/provider"
const CALLBACK = "/console/api/provider/return"

const redirectTo = (location: string, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.empty({ status: 303, headers: { location, ...headers } })

export const addRoutes = Effect.fnUntraced(function*(baseUrl: string) {
  const router = yield* HttpRouter.HttpRouter
  const sessions = yield* Sessions

  /** The page shows it to the user; the log explains it to the operator. */
  const failed = (word: "refused" | "limited" | "unavailable", cause?: unknown) =>
    Effect.as(
      word === "unavailable" ? Effect.logError("signing in by the identity provider failed", cause) : Effect.void,
      redirectTo(`${baseUrl}/console/sign-in#error=${word}`)
    )

  const start = sessions.toProvider(`${baseUrl}${CALLBACK}`).pipe(
    Effect.map(({ kept, url }) => redirectTo(url, settingSignInState(baseUrl, kept))),
    Effect.catchTags({
      not_found: (error) => Effect.succeed(coded(error)),
      ProviderUnavailable: ({ cause }) => failed("unavailable", cause)
    })
  )

  const callback = Effect.withFiber<HttpServerResponse.HttpServerResponse>((fiber) => {
    const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
    const returned = `${baseUrl}${CALLBACK}${new URL(request.url, baseUrl).search}`
    return sessions.fromProvider(
      returned,
      signInState(request, baseUrl) ?? "",
      request.headers["user-agent"] ?? null
    ).pipe(
      Effect.map(({ secret }) => redirectTo(`${baseUrl}/console/`, settingCookie(baseUrl, secret))),
      Effect.provideService(ClientAddress, Option.getOrNull(request.remoteAddress)),
      Effect.catchTags({
        not_found: (error) => Effect.succeed(coded(error)),
        authentication_error: () => failed("refused"),
        rate_limit_exceeded: () => failed("limited"),
        ProviderUnavailable: ({ cause }) => failed("unavailable", cause),
        StorageUnavailable: ({ cause }) => failed("unavailable", cause)
      }),
      Effect.uninterruptible
    )
  })

  yield* router.add("GET", START, start)
  yield* router.add("GET", CALLBACK, callback)
})
