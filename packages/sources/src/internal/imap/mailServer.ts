/** A connection to a mail server at a checked address. */
import {
  CredentialsRefused,
  FatalFailure,
  RetryableFailure,
  SourceGone,
  type SyncFailure
} from "@tributary/core/ports/Provider"
import type { ImapFlowOptions } from "imapflow"
import { isSyncFailure } from "../isSyncFailure.ts"
import { causes } from "../network/causes.ts"
import { certificateProblem } from "../network/certificateProblem.ts"
import { connectionTo, guardedAddresses, type Network, timeoutOf } from "../network/guardedAddresses.ts"
import type { AccessToken } from "../oauth/accessTokens.ts"
import type { MailClient } from "./MailClient.ts"

export const MAX_MAIL_BYTES = 33_554_432

/** The most bytes of responses other than mails: a list of a million UIDs takes 8 MB. */
const MAX_LINE_BYTES = 33_554_432

export interface MailServer {
  readonly host: string
  readonly port: number
  readonly security: "tls" | "starttls" | "none"
  readonly username: string
  readonly login: { readonly password: string } | { readonly accessToken: AccessToken }
}

const fieldOf = (error: unknown, name: string): unknown =>
  typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined

/** As the library says it. */
const NO_MECHANISM = "Unsupported authentication mechanism"

/** Response codes for a temporary refusal (RFC 5530). */
const FOR_NOW: ReadonlySet<unknown> = new Set(["UNAVAILABLE", "INUSE", "LIMIT", "SERVERBUG"])

/** The library also blames the credentials if the connection breaks or the server fails during authentication. */
const refusesLogin = (error: unknown): boolean =>
  fieldOf(error, "authenticationFailed") === true && fieldOf(error, "responseStatus") === "NO" &&
  !FOR_NOW.has(fieldOf(error, "serverResponseCode"))

/** The library's errors as our failures. `credentials` are those of the login. */
export const mailFailure = (error: unknown, host: string, credentials = "user name or password"): SyncFailure => {
  if (isSyncFailure(error)) return error
  if (refusesLogin(error)) return new CredentialsRefused({ message: `${host} refuses the ${credentials}.` })
  if (error instanceof Error && error.message === NO_MECHANISM) {
    return new FatalFailure({ message: `${host} offers no way to log in with the ${credentials}.` })
  }
  const code = fieldOf(error, "serverResponseCode")
  if (fieldOf(error, "mailboxMissing") === true || code === "NONEXISTENT" || code === "TRYCREATE") {
    return new SourceGone({ message: "The folder does not exist." })
  }
  const pause = fieldOf(error, "throttleReset")
  const reason = fieldOf(error, "responseText") ?? causes(error).at(-1)?.message
  return new RetryableFailure({
    ...(typeof pause === "number" ? { retry_after_seconds: pause / 1_000 } : {}),
    message: certificateProblem(error, host) ??
      `${host} cannot be reached: ${typeof reason === "string" && reason !== "" ? reason.slice(0, 300) : "no answer"}.`
  })
}

type Authorization = { readonly pass: string } | { readonly accessToken: string }

const optionsOf = (
  server: MailServer,
  authorization: Authorization,
  addresses: ReadonlyArray<string>,
  timeout: number
): ImapFlowOptions => ({
  host: server.host,
  // Of every connection, also one without TLS.
  tls: connectionTo(addresses),
  port: server.port,
  secure: server.security === "tls",
  ...(server.security === "tls" ? {} : { doSTARTTLS: server.security === "starttls" }),
  auth: { user: server.username, ...authorization },
  clientInfo: { name: "Tributary" },
  logger: false,
  qresync: true,
  connectionTimeout: timeout,
  greetingTimeout: timeout,
  socketTimeout: timeout,
  maxLineLength: MAX_LINE_BYTES,
  maxLiteralSize: MAX_MAIL_BYTES,
  maxResponseSize: MAX_MAIL_BYTES + MAX_LINE_BYTES
})

const logIn = async (
  { login }: MailServer,
  connect: (authorization: Authorization) => Promise<MailClient>,
  signal: AbortSignal
): Promise<MailClient> => {
  if ("password" in login) return connect({ pass: login.password })
  const accessToken = await login.accessToken(null, signal)
  try {
    return await connect({ accessToken })
  } catch (error) {
    // It may have been revoked before its end.
    if (!refusesLogin(error)) throw error
    return connect({ accessToken: await login.accessToken(accessToken, signal) })
  }
}

/** Opens a connection for `use` and closes it afterwards, or when the signal aborts. Throws a `SyncFailure`. */
export async function* withMailServer<A>(
  server: MailServer,
  network: Network,
  signal: AbortSignal,
  use: (client: MailClient) => AsyncGenerator<A>
): AsyncGenerator<A> {
  const addresses = await guardedAddresses(server.host, network)
  // Loaded with the first connection: few servers have one, and the library takes some 7 MB.
  const { MailClient } = await import("./MailClient.ts")
  let client: MailClient | undefined
  const close = () => client?.close()
  const connect = async (authorization: Authorization) => {
    client = new MailClient(optionsOf(server, authorization, addresses, timeoutOf(network)))
    // Errors are also reported by the command in progress.
    client.on("error", () => undefined)
    if (signal.aborted) close()
    await client.connect()
    return client
  }
  signal.addEventListener("abort", close, { once: true })
  try {
    yield* use(await logIn(server, connect, signal))
  } catch (error) {
    throw "password" in server.login
      ? mailFailure(error, server.host)
      : mailFailure(error, server.host, "access token of this user")
  } finally {
    signal.removeEventListener("abort", close)
    close()
  }
}
