import type { KnowledgeStatus } from "../api/models.ts"
import { Badge } from "../ui/Badge.tsx"
import { Track } from "../ui/Meter.tsx"
import { amount, counted } from "../ui/numbers.ts"
import { dayOf, Moment } from "../ui/time/Moment.tsx"

const STATES = {
  ready: ["good", "Up to date"],
  refreshing: ["accent", "Refreshing"],
  rebuilding: ["accent", "Rebuilding"],
  failed: ["bad", "Failed"]
} as const

const NOT_BUILT = ["plain", "Not built yet"] as const

/** What state the context is in, with live progress. */
export const ContextState = ({ status }: { readonly status: KnowledgeStatus }) => {
  const { error, evidence_watermark, latest_built_at, pending_documents, progress, state } = status
  const [tone, word] = state === "ready" && latest_built_at === null ? NOT_BUILT : STATES[state]
  const fraction = progress === null || progress.total === null || progress.total === 0
    ? null
    : progress.done / progress.total
  return (
    <div className="stack">
      <div role="status">
        <Badge tone={tone}>{word}</Badge>
      </div>
      {(state === "rebuilding" || state === "refreshing") && (
        <>
          <Track label="Progress of the build" fraction={fraction} />
          <span className="small soft numeric">
            {progress === null
              ? "Waiting for its turn"
              : `${counted(progress.done)}${
                progress.total === null ? "" : ` of ${counted(progress.total)}`
              } done. Questions are answered from the previous build meanwhile.`}
          </span>
        </>
      )}
      {error !== null && <p className="note bad">{error}</p>}
      <div className="facts">
        {latest_built_at !== null && (
          <span>
            built <Moment at={latest_built_at} />
          </span>
        )}
        <span>
          {pending_documents === 0
            ? "no document waits to be indexed"
            : `${amount(pending_documents, "document")} waiting to be indexed; ${
              pending_documents === 1 ? "it is" : "they are"
            } found already`}
        </span>
        {evidence_watermark !== null && (
          <span>
            documents up to {dayOf(evidence_watermark)}
          </span>
        )}
      </div>
    </div>
  )
}
