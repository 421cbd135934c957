/** A provider of mail that is not there: it knows one password, and has what a test puts into it. */
import { CredentialsRefused, type Provider, secret } from "@tributary/core/ports/Provider"
import { Effect, Redacted, Schema, Stream } from "effect"

const Config = Schema.Struct({
  host: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(200)),
  username: Schema.String,
  password: secret(Schema.String.check(Schema.isMinLength(8))).annotate({
    title: "Password",
    description: "Or one for this program alone."
  }),
  port: Schema.optionalKey(Schema.Int)
})

export const MAIL_PASSWORD = "a long password"

export const mailProvider: Provider<typeof Config.Type> = {
  provider: "imap",
  name: "Mail (IMAP)",
  config: Config,
  syncDefaults: { start: { type: "relative", days: 365 }, interval_minutes: 15 },
  commonResources: ["INBOX"],
  resources: ({ password }) =>
    Redacted.value(password) === MAIL_PASSWORD
      ? Effect.succeed(["INBOX", "Sent/Old & new"])
      : Effect.fail(new CredentialsRefused({ message: "The server refused the password." })),
  sync: ({ resource }) =>
    Stream.make(
      {
        _tag: "Upsert",
        item: {
          external_id: `${resource}/1`,
          timestamp: new Date("2026-05-01T00:00:00.000Z"),
          payload: { kind: "email", subject: "The archive", body: `It moves, says ${resource}.` }
        }
      } as const,
      { _tag: "Checkpoint", cursor: "1", done: 1, total: 1 } as const
    )
}
