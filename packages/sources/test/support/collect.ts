/** Runs syncs and sorts out what they say. */
import type { FileContent } from "@tributary/core/model/Ingest"
import type { Provider, SyncStep } from "@tributary/core/ports/Provider"
import { Effect, Stream } from "effect"

export interface Outcome {
  readonly steps: ReadonlyArray<SyncStep>
  readonly upserts: ReadonlyArray<string>
  readonly deletes: ReadonlyArray<string>
  readonly skipped: ReadonlyArray<string>
  /** Null when there was no complete listing. */
  readonly complete: ReadonlyArray<string> | null
  /** Of the last checkpoint. */
  readonly cursor: string | null
}

const only = <T extends SyncStep["_tag"]>(steps: ReadonlyArray<SyncStep>, tag: T) =>
  steps.filter((step): step is Extract<SyncStep, { readonly _tag: T }> => step._tag === tag)

export const outcome = (steps: ReadonlyArray<SyncStep>): Outcome => {
  const isComplete = only(steps, "Complete").length > 0
  return {
    steps,
    upserts: only(steps, "Upsert").map(({ item }) => item.external_id).sort(),
    deletes: only(steps, "Delete").map((step) => step.external_id).sort(),
    skipped: only(steps, "Skipped").map((step) => step.external_id).sort(),
    complete: isComplete ? only(steps, "Listed").flatMap(({ external_ids }) => external_ids).sort() : null,
    cursor: only(steps, "Checkpoint").at(-1)?.cursor ?? null
  }
}

export const sync = <Config>(
  provider: Provider<Config>,
  config: Config,
  resource: string,
  cursor: string | null = null,
  since: Date | null = null
) => Effect.map(Stream.runCollect(provider.sync({ config, resource, cursor, since })), (steps) => outcome([...steps]))

/** As `sync`, ended by force after the first checkpoint. */
export const brokenOff = <Config>(
  provider: Provider<Config>,
  config: Config,
  resource: string,
  cursor: string | null = null
) =>
  Effect.map(
    Stream.runCollect(
      provider.sync({ config, resource, cursor, since: null }).pipe(
        Stream.takeUntil((step) => step._tag === "Checkpoint")
      )
    ),
    (steps) => outcome([...steps])
  )

export const itemOf = ({ steps }: Outcome, id: string) =>
  only(steps, "Upsert").map(({ item }) => item).findLast(({ external_id }) => external_id === id)

export const fileOf = (outcome: Outcome, id: string): FileContent => {
  const item = itemOf(outcome, id)
  if (item === undefined || !("file" in item)) throw new Error(`${id} is no file`)
  return item.file
}
