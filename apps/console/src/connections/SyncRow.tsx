import { isUnderWay } from "@tributary/core/model/isUnderWay"
import type { SyncState } from "../api/models.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Button } from "../ui/Button.tsx"
import { Track } from "../ui/Meter.tsx"
import { amount, counted } from "../ui/numbers.ts"
import { attempt } from "../ui/feedback/useWork.ts"
import { HeldDeletions } from "./HeldDeletions.tsx"
import { SyncBadge } from "./StatusBadges.tsx"
import { useChange } from "../ui/feedback/useChange.ts"
import { Latest } from "../ui/time/Latest.tsx"

const REASONS = {
  doc_size: "larger than a document may be",
  documents: "the plan's cap on documents is reached",
  storage: "the plan has no storage left"
} as const

/** What a sync left out, and why. */
const LeftOut = ({ rejected, skipped }: Pick<SyncState, "rejected" | "skipped">) => {
  const items = [
    ...rejected.map(({ external_id, resource }) => [external_id, REASONS[resource]] as const),
    ...skipped.map(({ external_id, reason }) => [external_id, reason] as const)
  ]
  if (items.length === 0) return null
  return (
    <details className="small">
      <summary>{amount(items.length, "item")} left out</summary>
      <ul className="stack choices">
        {items.map(([id, reason], index) => (
          <li key={index} className="wrap-anywhere">
            <b>{id}</b>: <span className="soft">{reason}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

const Progress = ({ state: { completed_windows, resource, status, total_windows } }: { readonly state: SyncState }) => {
  const isKnown = status === "running" && total_windows > 0
  return (
    <div className="stack">
      <Track label={`Progress of ${resource}`} fraction={isKnown ? completed_windows / total_windows : null} />
      <span className="small soft numeric">
        {isKnown
          ? `${counted(completed_windows)} of ${counted(total_windows)} parts`
          : status === "running"
          ? "Asking the source"
          : "Waiting for its turn"}
      </span>
    </div>
  )
}

/** Counts of one sync. The next one may bring nothing. */
const changesIn = ({ items_deleted, items_ingested }: SyncState): string =>
  `${counted(items_ingested)} taken in, ${counted(items_deleted)} deleted`

export const SyncRow = ({ state }: { readonly state: SyncState }) => {
  const { client } = useWorkspace()
  const change = useChange("connections")
  const { attempt: attempts, connection_id, documents, error, last_synced_at, resource } = state
  const cancel = () =>
    attempt(() =>
      change(
        () => client.connections.cancelSync(connection_id, resource),
        "The sync is cancelled. What it took in stays, and the next one continues from there."
      )
    )
  return (
    <li>
      <div className="stack">
        <div className="row-title">
          {resource} <SyncBadge status={state.status} />
        </div>
        <div className="facts numeric">
          {documents !== null && <span>{amount(documents, "document")}</span>}
          <span>{isUnderWay(state) ? "so far" : "by the last sync"}: {changesIn(state)}</span>
          <Latest what="synced" at={last_synced_at} never="not synced yet" />
          {attempts > 1 && <span>attempt {attempts}</span>}
        </div>
        {isUnderWay(state) && <Progress state={state} />}
        {error !== null && <p className="note bad wrap-anywhere">{error}</p>}
        {state.deletions_held > 0 && <HeldDeletions state={state} />}
        <LeftOut rejected={state.rejected} skipped={state.skipped} />
      </div>
      {isUnderWay(state) && (
        <Button
          small
          kind="quiet bad"
          aria-label={`Cancel the sync of ${resource}`}
          onClick={() => cancel()}
        >
          Cancel
        </Button>
      )}
    </li>
  )
}
