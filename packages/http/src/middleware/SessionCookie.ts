/**
 * The cookie of a session. Scripts cannot read it, other sites' requests do not carry it, and over https its name has
 * the prefix that keeps other hosts of the domain from setting it.
 */
import { SESSION_LIFE } from "@tributary/core/model/Session"
import { Redacted } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"

const isSecure = (baseUrl: string): boolean => baseUrl.startsWith("https:")

const nameOf = (baseUrl: string): string => `${isSecure(baseUrl) ? "__Host-" : ""}tributary_session`

const attributesOf = (baseUrl: string): string => `Path=/; HttpOnly; SameSite=Lax${isSecure(baseUrl) ? "; Secure" : ""}`

/** The secret that the request brings; none when it brings several, of which one was planted. */
export const sessionSecret = (request: HttpServerRequest, baseUrl: string): Redacted.Redacted | undefined => {
  const name = nameOf(baseUrl)
  const [secret, another] = (request.headers["cookie"] ?? "").split(";")
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(`${name}=`))
    .map((cookie) => cookie.slice(name.length + 1))
  return secret === undefined || another !== undefined ? undefined : Redacted.make(secret)
}

/** The header that hands a browser its session. */
export const settingCookie = (baseUrl: string, secret: Redacted.Redacted) => ({
  "set-cookie": `${nameOf(baseUrl)}=${Redacted.value(secret)}; ${attributesOf(baseUrl)}; Max-Age=${
    SESSION_LIFE / 1_000
  }`
})

/** The header that takes it away again. */
export const clearingCookie = (baseUrl: string) => ({
  "set-cookie": `${nameOf(baseUrl)}=; ${attributesOf(baseUrl)}; Max-Age=0`
})
