import { memo } from "react"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { amount, bytes, counted } from "../ui/numbers.ts"
import { useSettled } from "../ui/time/useSettled.ts"
import type { Upload, UploadQueue, UploadState } from "./UploadQueue.ts"

const STATES = {
  waiting: ["plain", "Waiting"],
  sending: ["accent", "Sending"],
  stored: ["good", "Stored"],
  blank: ["warn", "Stored without text"],
  refused: ["bad", "Refused"],
  failed: ["bad", "Not sent"],
  stopped: ["plain", "Stopped"]
} as const

/** Files that need attention first, finished ones last. */
const ORDER: ReadonlyArray<UploadState> = ["refused", "failed", "stopped", "blank", "sending", "waiting", "stored"]

const isStored = ({ state }: Upload): boolean => state === "stored" || state === "blank"

const isRead = ({ sent, size, state }: Upload): boolean => state === "sending" && sent === size

interface RowProps {
  readonly queue: UploadQueue
  readonly upload: Upload
}

/** Of thousands, only those that change are rendered again with each part that is sent. */
const Row = memo(({ queue, upload }: RowProps) => {
  const [tone, word] = STATES[upload.state]
  return (
    <li className="wrap-anywhere">
      <div>
        <Badge tone={tone}>{isRead(upload) ? "Reading" : word}</Badge> <bdi>{upload.name}</bdi>{" "}
        <span className="soft">{bytes(upload.size)}</span>
        {upload.reason !== null && <p className="soft">{upload.reason}</p>}
      </div>
      {upload.retryable && (upload.state === "failed" || upload.state === "refused" || upload.state === "stopped") && (
        <Button small aria-label={`Try again with ${upload.name}`} onClick={() => queue.retry(new Set([upload.id]))}>
          Try again
        </Button>
      )}
    </li>
  )
})

const countsOf = (uploads: ReadonlyArray<Upload>) => {
  const counts = new Map<UploadState, number>()
  for (const { state } of uploads) counts.set(state, (counts.get(state) ?? 0) + 1)
  return counts
}

const sumOf = (uploads: ReadonlyArray<Upload>, count: (upload: Upload) => number): number =>
  uploads.reduce((sum, upload) => sum + count(upload), 0)

/** A progress bar with a segment for each state. */
const Progress = ({ uploads }: { readonly uploads: ReadonlyArray<Upload> }) => {
  const counts = countsOf(uploads)
  const count = (state: UploadState): number => counts.get(state) ?? 0
  const size = sumOf(uploads, ({ size }) => size)
  const left = (upload: Upload) => isStored(upload) ? upload.size : upload.sent
  const sent = sumOf(uploads, left)
  const isOver = count("waiting") + count("sending") === 0
  const percent = isOver
    ? 100 * uploads.filter(isStored).length / uploads.length
    : Math.min(99, 100 * sent / Math.max(1, size))
  const parts = ORDER.filter((state) => count(state) > 0).toReversed()
    .map((state) => `${counted(count(state))} ${STATES[state][1].toLowerCase()}`)
  const said = `${amount(uploads.length, "file")}: ${parts.join(", ")}`
  // Each file that is stored would interrupt a screen reader.
  const announced = useSettled(said, 1_000)
  return (
    <>
      <div
        className="track"
        role="progressbar"
        aria-label="Uploads"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(percent)}
      >
        <span style={{ width: `${percent}%` }} />
      </div>
      <p className="small numeric">
        <strong>{said}</strong> <span className="soft">{bytes(sent)} of {bytes(size)}</span>
      </p>
      <p role="status" className="hidden-text">{announced}</p>
    </>
  )
}

export const UploadList = (
  { queue, uploads }: { readonly queue: UploadQueue; readonly uploads: ReadonlyArray<Upload> }
) => {
  const isOver = !uploads.some(({ state }) => state === "waiting" || state === "sending")
  const again = uploads.filter((upload) => upload.retryable && !isStored(upload) && upload.state !== "waiting")
  const sorted = uploads.toSorted((left, right) => ORDER.indexOf(left.state) - ORDER.indexOf(right.state))
  return (
    <section className="stack" aria-label="Queue">
      <Progress uploads={uploads} />
      <div className="buttons">
        {!isOver && <Button small onClick={queue.stop}>Stop</Button>}
        {isOver && again.length > 0 && (
          <Button small onClick={() => queue.retry(new Set(again.map(({ id }) => id)))}>
            Try {again.length === 1 ? "it" : `all ${counted(again.length)}`} again
          </Button>
        )}
        {isOver && <Button small kind="quiet" onClick={queue.clear}>Clear the list</Button>}
      </div>
      <ul className="uploads small" tabIndex={0} aria-label="Files">
        {sorted.map((upload) => <Row key={upload.id} queue={queue} upload={upload} />)}
      </ul>
    </section>
  )
}
