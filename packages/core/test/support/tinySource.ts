/** A provider over a list of notes in memory, which a test changes, breaks and watches. */
import type { SyncConfig } from "@tributary/core/model/Connection"
import {
  CredentialsRefused,
  partlySecret,
  type Provider,
  secret,
  SourceGone,
  type SyncFailure,
  type SyncStep
} from "@tributary/core/ports/Provider"
import { Effect, Redacted, Schema, Stream, Struct } from "effect"

const Config = Schema.Struct({
  host: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(100)),
  password: secret(Schema.String.check(Schema.isMinLength(8))),
  depth: Schema.optionalKey(Schema.Int),
  page: Schema.optionalKey(
    partlySecret(Schema.String.check(Schema.isMaxLength(100)), (page) => page.replace(/\/.+/, "/…"))
  )
})

export const PASSWORD = "correct horse battery"

export interface TinySource {
  /** By resource, the notes by name. */
  readonly resources: Map<string, Map<string, string>>
  password: string
  /** The failure before the note of this name is emitted. */
  readonly faults: Map<string, Effect.Effect<void, SyncFailure>>
  /** Also when a listing would be complete. */
  endsEarly: boolean
  /** Whether a complete listing has what is older than the window. */
  ofAnyAge: boolean
  /** How the ids begin that a complete listing may lack. */
  unlisted: ReadonlyArray<string>
  /** After a sync that came to its end, the next one emits nothing. */
  remembers: boolean
  /** The configurations that were tried. */
  readonly tried: Array<TinyConfig>
  syncs: number
  running: number
  mostRunning: number
  /** The notes that were emitted. */
  readonly emitted: Array<string>
  /** The cursors and reaches that syncs started with. */
  readonly began: Array<{ readonly cursor: string | null; readonly since: Date | null }>
  readonly gone: Array<string>
  /** A checkpoint comes after this many notes. */
  step: number
  readonly provider: Provider<typeof Config.Type>
}

export type TinyConfig = typeof Config.Type

/** A month before the test clock begins. */
const AGE = new Date("1969-12-01T00:00:00.000Z")

export const tinySource = (syncDefaults: SyncConfig = { start: null, interval_minutes: 60 }): TinySource => {
  const source: TinySource = {
    resources: new Map([["notes", new Map()]]),
    password: PASSWORD,
    faults: new Map(),
    endsEarly: false,
    ofAnyAge: false,
    unlisted: [],
    remembers: false,
    tried: [],
    syncs: 0,
    running: 0,
    mostRunning: 0,
    emitted: [],
    began: [],
    gone: [],
    step: 10,
    provider: {
      provider: "tiny",
      name: "Tiny",
      config: Config,
      syncDefaults,
      resources: (config) =>
        Effect.suspend(() => {
          source.tried.push(config)
          return Redacted.value(config.password) === source.password
            ? Effect.succeed([...source.resources.keys()])
            : Effect.fail(new CredentialsRefused({ message: "The server refused the password." }))
        }),
      sync: ({ config, cursor, resource, since }) =>
        Stream.unwrap(Effect.gen(function*() {
          if (Redacted.value(config.password) !== source.password) {
            return yield* new CredentialsRefused({ message: "The server refused the password." })
          }
          const notes = source.resources.get(resource)
          if (notes === undefined) return yield* new SourceGone({ message: "There is no such list." })
          source.syncs++
          source.began.push({ cursor, since })
          yield* Effect.acquireRelease(
            Effect.sync(() => source.mostRunning = Math.max(source.mostRunning, ++source.running)),
            () => Effect.sync(() => source.running--)
          )
          const names = [...notes.keys()].sort()
          const afterAll = source.remembers ? names.length : 0
          const from = cursor === "end" ? afterAll : Number(cursor ?? 0)
          const total = Math.ceil(names.length / source.step)
          const steps = names.slice(from).map((name, index): Stream.Stream<SyncStep, SyncFailure> =>
            Stream.fromEffect(source.faults.get(name) ?? Effect.void).pipe(
              Stream.flatMap(() => {
                source.emitted.push(name)
                const external_id = `${resource}/${name}`
                const payload = { kind: "page", title: name, content: notes.get(name)! }
                const at = from + index + 1
                return Stream.fromIterable<SyncStep>([
                  { _tag: "Upsert", item: { external_id, timestamp: AGE, payload } },
                  ...(at % source.step === 0
                    ? [{ _tag: "Checkpoint", cursor: String(at), done: at / source.step, total } as const]
                    : [])
                ])
              })
            )
          )
          const external_ids = names.map((name) => `${resource}/${name}`)
          const complete = [{ _tag: "Listed", external_ids }, {
            _tag: "Complete",
            ...Struct.pick(source, ["ofAnyAge", "unlisted"])
          }] as const
          const end: ReadonlyArray<SyncStep> = [
            ...source.gone.map((name) => ({ _tag: "Delete", external_id: `${resource}/${name}` }) as const),
            ...(source.endsEarly ? [] : complete),
            { _tag: "Checkpoint", cursor: "end", done: total, total }
          ]
          return Stream.concat(Stream.flatten(Stream.fromIterable(steps)), Stream.fromIterable(end))
        }))
    }
  }
  return source
}

export const fill = (source: TinySource, count: number, resource = "notes"): void => {
  const notes = source.resources.get(resource) ?? new Map<string, string>()
  source.resources.set(resource, notes)
  for (let index = 0; index < count; index++) {
    const name = String(index).padStart(5, "0")
    notes.set(name, `Note ${name} is about badgers.`)
  }
}
