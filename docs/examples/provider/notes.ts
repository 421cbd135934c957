/** A provider for a service of notes: `GET /notes?after=ID` answers with up to 100 of them, by id, as JSON. */
import { CredentialsRefused, FatalFailure, type Provider, RetryableFailure, secret, type SyncStep } from "@tributary/core/ports/Provider"
import { Effect, Option, Redacted, Schema, Stream } from "effect"

const Config = Schema.Struct({
  url: Schema.String.check(Schema.isPattern(/^https?:\/\//)),
  token: secret(Schema.String.check(Schema.isMinLength(1)))
})

const Notes = Schema.Array(Schema.Struct({ id: Schema.String, text: Schema.String, changed: Schema.Int }))

/** The newest change that is stored, and of a listing under way: where it is, and the newest change up to there. */
const Cursor = Schema.fromJsonString(
  Schema.Struct({ v: Schema.Literal(1), seen: Schema.Int, after: Schema.String, newest: Schema.Int })
)
type Cursor = typeof Cursor.Type

const START: Cursor = { v: 1, seen: -1, after: "", newest: -1 }

const get = Effect.fnUntraced(function*({ token, url }: typeof Config.Type, after: string) {
  const response = yield* Effect.tryPromise({
    try: (signal) =>
      fetch(`${url}/notes?after=${encodeURIComponent(after)}`, {
        headers: { authorization: `Bearer ${Redacted.value(token)}` },
        signal: AbortSignal.any([signal, AbortSignal.timeout(20_000)])
      }),
    catch: () => new RetryableFailure({ message: "The notes do not answer." })
  })
  if (response.status === 401) return yield* new CredentialsRefused({ message: "The notes refuse the token." })
  if (response.status === 429) {
    const retry_after_seconds = Number(response.headers.get("retry-after") ?? 60)
    return yield* new RetryableFailure({ message: "The notes ask for patience.", retry_after_seconds })
  }
  if (!response.ok) return yield* new RetryableFailure({ message: `The notes answer with ${response.status}.` })
  return yield* Effect.tryPromise(() => response.json()).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(Notes)),
    Effect.mapError(() => new FatalFailure({ message: "What answers there is no service of notes." }))
  )
})

const toUpsert = ({ changed, id, text }: typeof Notes.Type[number]): SyncStep => ({
  _tag: "Upsert",
  item: { external_id: `notes/${id}`, timestamp: new Date(changed), payload: { kind: "page", content: text } }
})

/** One page as steps; answers with where the next one begins, or none after the last. */
const pages = (config: typeof Config.Type, from: Cursor) => {
  let newest = from.seen
  let after = ""
  let read = 0
  // All ids are listed, also those before the cursor: only who knows all knows what is gone.
  return Stream.paginate("", (position: string) =>
    Effect.map(get(config, position), (notes) => {
      after = notes.at(-1)?.id ?? position
      read++
      const isLast = notes.length === 0
      for (const { changed } of notes) newest = Math.max(newest, changed)
      const next = isLast ? { ...START, seen: newest } : { ...from, after, newest }
      const checkpoint = { _tag: "Checkpoint", cursor: JSON.stringify(next), done: read, total: read } as const
      // A note that was already emitted may have changed since.
      const isTold = ({ changed, id }: typeof notes[number]) => id <= from.after && changed <= from.newest
      const upserts = notes.filter((note) => note.changed > from.seen && !isTold(note)).map(toUpsert)
      const listed = { _tag: "Listed", external_ids: notes.map(({ id }) => `notes/${id}`) } as const
      const steps: ReadonlyArray<SyncStep> = isLast
        ? [{ _tag: "Complete" }, checkpoint]
        : [...upserts, listed, checkpoint]
      return [steps, isLast ? Option.none<string>() : Option.some(after)] as const
    }))
}

export const notes: Provider<typeof Config.Type> = {
  provider: "notes",
  name: "Notes",
  config: Config,
  syncDefaults: { start: null, interval_minutes: 15 },
  resources: (config) => Effect.as(get(config, ""), ["notes"]),
  sync: ({ config, cursor }) =>
    pages(config, Option.getOrElse(Schema.decodeOption(Cursor)(cursor ?? ""), () => START))
}
