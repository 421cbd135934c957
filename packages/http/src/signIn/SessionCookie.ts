/**
 * The cookies of sessions and of signing in. Scripts cannot read them, other sites' requests do not send them, and over
 * https their names have the prefix that prevents other hosts of the domain from setting them.
 */
import { SESSION_LIFE } from "@tributary/core/model/Session"
import { Redacted } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"

const isSecure = (baseUrl: string): boolean => baseUrl.startsWith("https:")

const nameOf = (baseUrl: string, cookie: string): string => `${isSecure(baseUrl) ? "__Host-" : ""}tributary_${cookie}`

const attributesOf = (baseUrl: string): string => `Path=/; HttpOnly; SameSite=Lax${isSecure(baseUrl) ? "; Secure" : ""}`

/** The cookie's value; none if there are several, because one of them was planted. */
const valueOf = (request: HttpServerRequest, name: string): string | undefined => {
  const [value, another] = (request.headers["cookie"] ?? "").split(";")
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(`${name}=`))
    .map((cookie) => cookie.slice(name.length + 1))
  return another === undefined ? value : undefined
}

const setting = (baseUrl: string, cookie: string, value: string, seconds: number) => ({
  "set-cookie": `${nameOf(baseUrl, cookie)}=${value}; ${attributesOf(baseUrl)}; Max-Age=${seconds}`
})

export const sessionSecret = (request: HttpServerRequest, baseUrl: string): Redacted.Redacted | undefined => {
  const secret = valueOf(request, nameOf(baseUrl, "session"))
  return secret === undefined ? undefined : Redacted.make(secret)
}

/** The header that sets the session. */
export const settingCookie = (baseUrl: string, secret: Redacted.Redacted) =>
  setting(baseUrl, "session", Redacted.value(secret), SESSION_LIFE / 1_000)

/** The header that removes the session. */
export const clearingCookie = (baseUrl: string) => setting(baseUrl, "session", "", 0)

/** How many seconds signing in at the identity provider may take. */
const SIGN_IN_SECONDS = 600

/** The state of a sign-in, which the browser keeps while it is at the identity provider. */
export const signInState = (request: HttpServerRequest, baseUrl: string): string | undefined =>
  valueOf(request, nameOf(baseUrl, "provider"))

export const settingSignInState = (baseUrl: string, state: string) =>
  setting(baseUrl, "provider", state, SIGN_IN_SECONDS)
