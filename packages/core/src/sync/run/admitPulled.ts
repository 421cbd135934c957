/** Ingests pulled items through the same admission as pushed ones. */
import { Clock, Effect, Result, Schedule, Schema } from "effect"
import { BadRequest, type RejectedItem, type StorageUnavailable } from "../../model/Error.ts"
import { fileItemOf, MAX_EXTERNAL_ID, typedItemOf } from "../../model/Ingest.ts"
import type { KindCatalogue } from "../../model/KindCatalogue.ts"
import type { WorkspaceRecord } from "../../model/Workspace.ts"
import { limitsFor } from "../../model/Workspace.ts"
import { type Admission, type DocumentSource, DocumentStore } from "../../ports/DocumentStore.ts"
import type { FencingToken } from "../../ports/JobStore.ts"
import { type PulledItem, RetryableFailure } from "../../ports/Provider.ts"
import { ReadFor, TextExtractor } from "../../ports/TextExtractor.ts"
import { admission } from "../../ingest/admission.ts"
import { ChangeBudget } from "../../ingest/changeBudget.ts"
import { documentCaps } from "../../ingest/documentCap.ts"
import { fileDraft } from "../../ingest/fileDraft.ts"
import { admissionOf, contentOf, type ItemDraft, typedDraft } from "../../ingest/ingestItem.ts"
import { Kinds } from "../../ingest/Kinds.ts"
import { inSharedSlices } from "../../scheduling/Slices.ts"

interface Admitted {
  /** New or changed. */
  readonly ingested: number
  readonly rejected: ReadonlyArray<RejectedItem>
  readonly skipped: ReadonlyArray<{ readonly external_id: string; readonly reason: string }>
}

// Items of a provider are validated like those of a client.
const draftBy = (kinds: KindCatalogue) => {
  const isTyped = Schema.is(Schema.toType(typedItemOf(kinds)))
  const isFile = Schema.is(Schema.toType(fileItemOf(kinds)))
  return (item: PulledItem): Generator<void, ItemDraft> | undefined =>
    "file" in item
      ? isFile(item) ? fileDraft(kinds)(item) : undefined
      : isTyped(item)
      ? typedDraft(kinds)(item)
      : undefined
}

/** No client waits for a sync, so it waits as long as necessary. */
const UNTIL_READ = Schedule.spaced("1 second")

/** An extractor of the host may throw. The items after this one do not wait for it. */
const notRead = (defect: unknown) =>
  Effect.andThen(
    Effect.logError("an item of a source is left out, because reading it failed", defect),
    Effect.fail(new BadRequest({ message: "It cannot be read." }))
  )

/** Null: the connection does not accept items any more, or not from this attempt. */
export const admitPulled = Effect.fnUntraced(function*(
  workspace: WorkspaceRecord,
  origin: DocumentSource,
  items: ReadonlyArray<PulledItem>,
  fencingToken: FencingToken | undefined
): Effect.fn.Return<Admitted | null, RetryableFailure | StorageUnavailable, DocumentStore | TextExtractor> {
  const admit = yield* admission
  const spending = yield* ChangeBudget
  const extractor = yield* TextExtractor
  const draftOf = draftBy(yield* Kinds)
  const skipped: Array<Admitted["skipped"][number]> = []
  const drafted: Array<readonly [PulledItem, ItemDraft]> = []
  const admissions: Array<Admission> = []
  for (const item of items) {
    const drafting = draftOf(item)
    if (drafting === undefined) {
      skipped.push({
        external_id: item.external_id.slice(0, MAX_EXTERNAL_ID).toWellFormed(),
        reason: "It is no well-formed item."
      })
      continue
    }
    drafted.push([item, yield* inSharedSlices(drafting)])
  }
  const capOf = yield* documentCaps(
    yield* DocumentStore,
    workspace.workspace_id,
    origin.connector_id,
    limitsFor(workspace).doc_size,
    drafted.map(([, draft]) => draft)
  )
  for (const [item, draft] of drafted) {
    const now = yield* Clock.currentTimeMillis
    const read = yield* Effect.suspend(() => contentOf(draft, extractor, capOf(draft))).pipe(
      Effect.retry({ while: ({ _tag }) => _tag === "Overloaded", schedule: UNTIL_READ }),
      Effect.provideService(ReadFor, workspace.account_id),
      Effect.catchDefect(notRead),
      Effect.result
    )
    if (Result.isFailure(read)) skipped.push({ external_id: item.external_id, reason: read.failure.message })
    else admissions.push(yield* inSharedSlices(admissionOf(draft, read.success, { connector: { metadata: {} }, now })))
  }
  // Without an end of its patience, it is never overloaded.
  const admitted = admit(workspace, origin, admissions, Infinity, fencingToken).pipe(
    Effect.catchTag("Overloaded", Effect.die)
  )
  const verdicts = yield* spending(workspace, admissions, admitted).pipe(
    Effect.catchTag(
      "rate_limit_exceeded",
      ({ message = "", retry_after }) =>
        Effect.fail(new RetryableFailure({ message, retry_after_seconds: retry_after }))
    )
  )
  if (verdicts === null) return null
  return {
    ingested: verdicts.filter(({ status }) => status === "created" || status === "updated").length,
    rejected: verdicts.flatMap(({ resource }, index) =>
      resource === null
        ? []
        : [{ external_id: admissions[index]!.external_id, resource, reason: "quota_exceeded" as const }]
    ),
    skipped
  }
})
