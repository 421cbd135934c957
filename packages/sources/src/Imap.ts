/**
 * Mail, over IMAP.
 *
 * Each folder is a resource. Each mail is a document, and so is each attachment that may contain text. Folders are
 * opened read-only.
 */
import { checkNumbers, MILLISECONDS } from "@tributary/core/model/NumberRule"
import { type Provider, secret, SourceGone } from "@tributary/core/ports/Provider"
import { Effect, Redacted, Schema, Stream } from "effect"
import { foldersOf, refuseLabel } from "./internal/imap/folders.ts"
import { type MailServer, withMailServer } from "./internal/imap/mailServer.ts"
import { type MailReaders, makeMailReaders } from "./internal/imap/MailReader.ts"
import { syncMailbox } from "./internal/imap/syncMailbox.ts"
import { Turns } from "./internal/imap/Turns.ts"
import { watchMailbox } from "./internal/imap/watchMailbox.ts"
import { type Network, timeoutOf } from "./internal/network/guardedAddresses.ts"
import { makeAccessTokens } from "./internal/oauth/accessTokens.ts"
import { GrantFields, grantOf, passwordOrGrant } from "./internal/oauth/Grant.ts"
import { attempt, steps } from "./internal/steps.ts"

/** Every mailbox has this folder, and new mail arrives in it. */
const INBOX = "INBOX"

const text = (maxLength: number) => Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(maxLength))

const ImapConfig = Schema.Struct({
  host: text(253).annotate({ title: "Server", description: "Such as imap.example.org." }),
  port: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 }))).annotate({
    title: "Port",
    description: "Default: 993, or 143 without TLS from the start."
  }),
  security: Schema.optionalKey(Schema.Literals(["tls", "starttls", "none"])).annotate({
    title: "Security",
    description: "Default: tls. With none, the password or the access token travels in the clear."
  }),
  username: text(512).annotate({ title: "User name" }),
  password: Schema.optionalKey(secret(text(4_096))).annotate({
    title: "Password",
    description: "Or a password for this program alone."
  }),
  folders: Schema.optionalKey(Schema.Array(text(500)).check(Schema.isMinLength(1), Schema.isMaxLength(200))).annotate({
    title: "Folders",
    description: "Default: all but junk, trash and drafts. At Gmail: the folder of all mails."
  }),
  ...GrantFields
}).check(passwordOrGrant)
type ImapConfig = typeof ImapConfig.Type

export interface ImapOptions extends Network {
  /** Interval for polling the folders that are not watched by IDLE. Default: one minute. */
  readonly pollMillis?: number
}

export const imap = (
  { pollMillis = 60_000, ...network }: ImapOptions = {},
  readers: Pick<MailReaders, "stream"> = makeMailReaders()
): Provider<ImapConfig> => {
  timeoutOf(network)
  checkNumbers({ pollMillis: MILLISECONDS }, { pollMillis })
  const turns = new Turns()
  const accessTokens = makeAccessTokens(network)
  const serverOf = (config: ImapConfig): Effect.Effect<MailServer> =>
    Effect.map(accessTokens, (accessToken) => {
      const { host, password, port, security = "tls", username } = config
      const grant = grantOf(config)
      return {
        host,
        security,
        port: port ?? (security === "tls" ? 993 : 143),
        username,
        login: grant !== undefined
          ? { accessToken: accessToken(grant) }
          : { password: password === undefined ? "" : Redacted.value(password) }
      }
    })
  const stepsAt = <A>(config: ImapConfig, run: (server: MailServer, signal: AbortSignal) => AsyncGenerator<A>) =>
    Stream.unwrap(Effect.map(serverOf(config), (server) => steps((signal) => run(server, signal))))
  return {
    provider: "imap",
    name: "Mail (IMAP)",
    config: ImapConfig,
    syncDefaults: { start: { type: "relative", days: 365 }, interval_minutes: 10 },
    resources: (config) =>
      Effect.flatMap(serverOf(config), (server) =>
        attempt(async (signal) => {
          const listed = withMailServer(server, network, signal, async function*(client) {
            yield await foldersOf(client, config.folders)
          })
          for await (const folders of listed) if (folders.length > 0) return folders
          throw new SourceGone({ message: "The mailbox has none of these folders." })
        })),
    sync: ({ config, ...request }) =>
      stepsAt(config, async function*(server, signal) {
        const leave = await turns.take(`${server.username}@${server.host}:${server.port}`, signal)
        try {
          yield* readers.stream((reader) =>
            withMailServer(server, network, signal, async function*(client) {
              await refuseLabel(client, config.folders, request.resource)
              yield* syncMailbox(client, reader, request)
            })
          )
        } finally {
          leave()
        }
      }),
    resourcesVary: () => true,
    changes: (config, resources) => {
      const folder = resources.includes(INBOX) ? INBOX : resources[0]
      if (folder === undefined) return Stream.empty
      const others = resources.filter((other) => other !== folder)
      return stepsAt(config, (server, signal) =>
        withMailServer(
          server,
          network,
          signal,
          (client) => watchMailbox(client, { folder, others, pollMillis })
        ))
    }
  }
}
