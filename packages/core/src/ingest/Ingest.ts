/** Ingests what a workspace pushes through its connectors, within its plan. */
import { Clock, Context, Effect, Exit, Layer } from "effect"
import { Kinds } from "./Kinds.ts"
import { admission } from "./admission.ts"
import { ChangeBudget } from "./changeBudget.ts"
import { documentCaps } from "./documentCap.ts"
import { fileDraft } from "./fileDraft.ts"
import { findConnector, originOf } from "./findConnector.ts"
import { ingestResult } from "./ingestResult.ts"
import {
  admissionOf,
  contentOf,
  type ExtractedItem,
  type ItemDraft,
  jsonDraft,
  textDraft,
  typedDraft
} from "./ingestItem.ts"
import { traceMethods } from "../internal/collectedTraces.ts"
import { endSlice, inSharedSlices, yieldIfOver } from "../scheduling/Slices.ts"
import type { Connector } from "../model/Connector.ts"
import {
  BadRequest,
  type ConnectorNotFound,
  type Overloaded,
  QuotaExceeded,
  type RateLimitExceeded,
  type StorageUnavailable
} from "../model/Error.ts"
import type { FileItem, IngestResult, JsonItem, TextItem, TypedItem } from "../model/Ingest.ts"
import { limitsFor, type WorkspaceRecord } from "../model/Workspace.ts"
import { ConnectorStore } from "../ports/ConnectorStore.ts"
import { type Admission, DocumentStore } from "../ports/DocumentStore.ts"
import { ReadFor, TextExtractor } from "../ports/TextExtractor.ts"

export { PendingChunks } from "./admission.ts"

const deactivated = () =>
  new BadRequest({ message: "This custom connector is deactivated. It accepts no new items until it is active again." })

const notAccepted = (kind: string, { accepted_kinds }: Connector, index: number) =>
  new BadRequest({
    message: `Items of kind '${kind}' are not accepted by this custom connector, only ${accepted_kinds.join(", ")}.`,
    details: { kind, accepted_kinds: [...accepted_kinds], index }
  })

function* draftsOf<Item>(
  items: ReadonlyArray<Item>,
  draftOf: (item: Item) => Generator<void, ItemDraft>
): Generator<void, ReadonlyArray<ItemDraft>> {
  const drafts: Array<ItemDraft> = []
  for (const item of items) {
    drafts.push(yield* draftOf(item))
    yield
  }
  return drafts
}

/** Items that a storage may take in the turn in which they were read. */
const FEW = 100

/** A storage takes all items in one step, which is to have a turn of its own. */
const storingTurn = (items: number): Effect.Effect<void> =>
  items <= FEW ? Effect.void : Effect.suspend(() => {
    endSlice()
    return yieldIfOver
  })

/** Pauses before each item that the extractor still has to read. */
const contentsOf = Effect.fnUntraced(function*(
  drafts: ReadonlyArray<ItemDraft>,
  extractor: TextExtractor["Service"],
  capOf: (draft: ItemDraft) => number | null
) {
  const contents: Array<ExtractedItem | null> = []
  for (const draft of drafts) {
    const reading = contentOf(draft, extractor, capOf(draft))
    // Nearly always: the content is there, and a step of the fiber for each item costs more than reading it.
    if (Exit.isExit(reading) && Exit.isSuccess(reading)) {
      // `isExit` takes away what the content is.
      contents.push(reading.value as ExtractedItem | null)
      continue
    }
    yield* yieldIfOver
    contents.push(yield* reading)
  }
  return contents
})

function* admissionsOf(
  drafts: ReadonlyArray<ItemDraft>,
  contents: ReadonlyArray<ExtractedItem | null>,
  circumstances: Parameters<typeof admissionOf>[2]
): Generator<void, ReadonlyArray<Admission>> {
  const admissions: Array<Admission> = []
  for (const [index, draft] of drafts.entries()) {
    admissions.push(yield* admissionOf(draft, contents[index]!, circumstances))
    yield
  }
  return admissions
}

/**
 * `BadRequest`: the connector is deactivated, or does not accept an item's kind. `Overloaded`: too many files are
 * waiting, or too much waits to be indexed. `RateLimitExceeded`: too much has changed today.
 */
type Failure =
  | BadRequest
  | ConnectorNotFound
  | Overloaded
  | QuotaExceeded
  | RateLimitExceeded
  | StorageUnavailable

/** How long a request waits for a refresh, in milliseconds, before it fails with a retry. */
const REFRESH_TIMEOUT = 10_000

/** A request is atomic: on success all admitted items are stored, on failure none. Without items, nothing happens. */
export class Ingest extends Context.Service<Ingest, {
  json(
    workspace: WorkspaceRecord,
    connectorId: string,
    items: ReadonlyArray<JsonItem>
  ): Effect.Effect<IngestResult, Failure>
  text(
    workspace: WorkspaceRecord,
    connectorId: string,
    items: ReadonlyArray<TextItem>
  ): Effect.Effect<IngestResult, Failure>
  typed(
    workspace: WorkspaceRecord,
    connectorId: string,
    items: ReadonlyArray<TypedItem>
  ): Effect.Effect<IngestResult, Failure>
  /** `BadRequest` also: the file's format is not supported. A file over a cap is never stored in part. */
  file(workspace: WorkspaceRecord, connectorId: string, item: FileItem): Effect.Effect<IngestResult, Failure>
}>()("@tributary/core/Ingest") {
  static readonly layer = Layer.effect(
    Ingest,
    Effect.gen(function*() {
      const connectors = yield* ConnectorStore
      const documents = yield* DocumentStore
      const extractor = yield* TextExtractor
      const kinds = yield* Kinds
      const admit = yield* admission
      const spending = yield* ChangeBudget

      const take = Effect.fnUntraced(
        function*<Item>(
          workspace: WorkspaceRecord,
          connectorId: string,
          items: ReadonlyArray<Item>,
          draftOf: (item: Item) => Generator<void, ItemDraft>
        ) {
          const { workspace_id } = workspace
          const found = findConnector({ connectors, documents }, workspace_id, connectorId)
          const connector = yield* found
          if (!connector.is_active) return yield* deactivated()
          if (items.length === 0) return ingestResult([], [])
          const drafts = yield* inSharedSlices(draftsOf(items, draftOf))
          const refused = connector.accepted_kinds.length === 0
            ? -1
            : drafts.findIndex(({ kind }) => !connector.accepted_kinds.includes(kind))
          if (refused !== -1) return yield* notAccepted(drafts[refused]!.kind, connector, refused)

          const { connector_id } = connector
          const capOf = yield* documentCaps(
            documents,
            workspace_id,
            connector_id,
            limitsFor(workspace).doc_size,
            drafts
          )
          const now = yield* Clock.currentTimeMillis
          const contents = yield* Effect.provideService(
            contentsOf(drafts, extractor, capOf),
            ReadFor,
            workspace.account_id
          )
          const admissions = yield* inSharedSlices(admissionsOf(drafts, contents, { connector, now }))
          yield* storingTurn(admissions.length)
          const verdicts = yield* spending(
            workspace,
            admissions,
            admit(workspace, originOf(connector), admissions, REFRESH_TIMEOUT)
          )
          // Since the check above, it was deactivated, or its workspace was erased: then it is not found any more.
          if (verdicts === null) return yield* Effect.andThen(found, deactivated())
          const result = ingestResult(admissions, verdicts)
          return result.events === 0
            ? yield* new QuotaExceeded({ details: { rejected: result.rejected } })
            : result
        }
      )

      return traceMethods(
        Ingest.of({
          json: (workspace, connectorId, items) => take(workspace, connectorId, items, jsonDraft),
          text: (workspace, connectorId, items) => take(workspace, connectorId, items, textDraft),
          typed: (workspace, connectorId, items) => take(workspace, connectorId, items, typedDraft(kinds)),
          file: (workspace, connectorId, item) => take(workspace, connectorId, [item], fileDraft(kinds))
        }),
        "Ingest",
        "internal"
      )
    })
  )
}
