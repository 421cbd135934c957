import { useState } from "react"
import { consoleApi, type IssuedKey, type Key } from "../api/consoleApi.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/dialogs/Dialog.tsx"
import { Failure } from "../ui/feedback/Failure.tsx"
import { dateOf } from "../ui/time/Moment.tsx"
import { counted } from "../ui/numbers.ts"
import { useNow } from "../ui/time/useNow.ts"
import { NewKey } from "./NewKey.tsx"
import { forgetRotation, openRotationOf, rememberRotation } from "./rotations.ts"
import { Secret } from "./Secret.tsx"
import { TrafficBars } from "./TrafficBars.tsx"
import { daysOf } from "./traffic.ts"
import { useKeys, useTraffic } from "./useKeys.ts"
import { useWork } from "../ui/feedback/useWork.ts"
import { Latest } from "../ui/time/Latest.tsx"

type Step = 1 | 2 | 3 | 4 | 5

const stateOf = (step: Step, own: Step) => own < step ? "done" : own === step ? "now" : "later"

/** A key's last use is reported up to a minute late. Twice that is safe. */
const QUIET = 2 * 60_000

const VERDICTS = {
  used: [
    "warn",
    "The old key still has traffic",
    "Something used it within the last two minutes. Give it the new key before you revoke the old one."
  ],
  unknown: ["warn", "Watching the old key", "After two minutes without a request, nothing uses it any more."],
  quiet: ["good", "The old key is quiet", "No request came with it in the last two minutes."]
} as const

const verdictOf = ({ last_used_at }: Key, since: number, now: number): keyof typeof VERDICTS => {
  if (last_used_at !== null && now - dateOf(last_used_at).getTime() < QUIET) return "used"
  return now - since < QUIET ? "unknown" : "quiet"
}

interface WatchProps {
  readonly stale: Key
  readonly fresh: Key | undefined
  readonly since: number
}

/** Compares the use of both keys. */
const Watch = ({ fresh, since, stale }: WatchProps) => {
  const { data: traffic = [] } = useTraffic()
  const now = useNow()
  const [tone, title, text] = VERDICTS[verdictOf(stale, since, now)]
  return (
    <div className="stack">
      {[["Old key", stale], ["New key", fresh]].map(([label, key]) =>
        typeof key !== "object" ? null : (
          <div key={key.key_id} className="card-head">
            <span>
              <strong>{String(label)}</strong> <span className="mono soft">…{key.hint}</span>
              <span className="facts">
                <Latest what="last used" at={key.last_used_at} never="never used" />
                <span className="numeric">
                  {counted(daysOf(traffic, key.key_id, now).at(-1) ?? 0)} today
                </span>
              </span>
            </span>
            <TrafficBars days={daysOf(traffic, key.key_id, now)} />
          </div>
        )
      )}
      <p className={`note ${tone}`} role="status">
        <strong>{title}</strong>
        {text}
      </p>
    </div>
  )
}

/** The four steps of a key rotation without downtime. */
export const Rotation = ({ onClose, stale }: { readonly stale: Key; readonly onClose: () => void }) => {
  const { changed, workspace } = useWorkspace()
  const { data: keys = [] } = useKeys()
  const [resumed] = useState(() => openRotationOf(stale.key_id, keys))
  const [step, setStep] = useState<Step>(resumed === null ? 1 : 3)
  const [issued, setIssued] = useState<IssuedKey | null>(null)
  const { busy, error, run } = useWork()
  const [since] = useState(() => resumed?.since ?? Date.now())
  const freshId = issued?.key_id ?? resumed?.fresh
  const now = (id: string) => keys.find(({ key_id }) => key_id === id)
  const fresh = freshId === undefined ? undefined : now(freshId)

  const revoke = () =>
    run(async () => {
      await consoleApi.revokeKey(workspace.workspace_id, stale.key_id)
      forgetRotation(stale.key_id)
      void changed("keys")
      setStep(5)
    })

  return (
    <Dialog title={`Rotate “${stale.name}”`} onClose={onClose} closable={step !== 2}>
      <p className="soft">Both keys work until you revoke the old one, so nothing stops in between.</p>
      <ol className="steps">
        <li data-state={stateOf(step, 1)}>
          <h3>Create a new key</h3>
          {step === 1 && (
            <NewKey
              name={stale.name}
              scopes={stale.scopes}
              action="Create the new key"
              onMade={(key) => {
                rememberRotation({ stale: stale.key_id, fresh: key.key_id, since })
                setIssued(key)
                setStep(2)
              }}
            />
          )}
        </li>
        <li data-state={stateOf(step, 2)}>
          <h3>Give it to your programs</h3>
          {step === 2 && issued !== null && (
            <div className="stack">
              <Secret secret={issued.secret} />
              <div className="dialog-end">
                <Button kind="primary" onClick={() => setStep(3)}>My programs have it</Button>
              </div>
            </div>
          )}
        </li>
        <li data-state={stateOf(step, 3)}>
          <h3>See that the old key is no longer used</h3>
          {step === 3 && (
            <div className="stack">
              <Watch
                stale={now(stale.key_id) ?? stale}
                fresh={fresh}
                since={since}
              />
              <div className="dialog-end">
                <Button onClick={onClose}>Later</Button>
                <Button kind="primary" onClick={() => setStep(4)}>Go on</Button>
              </div>
            </div>
          )}
        </li>
        <li data-state={stateOf(step, 4)}>
          <h3>Revoke the old key</h3>
          {step === 4 && (
            <div className="stack">
              <p>
                Requests with <span className="mono">…{stale.hint}</span>{" "}
                are refused from this moment on. This cannot be undone.
              </p>
              {error !== null && <Failure error={error} />}
              <div className="dialog-end">
                <Button onClick={() => setStep(3)}>Back</Button>
                <Button kind="danger" busy={busy} onClick={() => void revoke()}>Revoke the old key</Button>
              </div>
            </div>
          )}
        </li>
      </ol>
      {step === 5 && (
        <div className="stack">
          <p className="note good" role="status">
            <strong>Done</strong>The old key is revoked <Badge tone="good">…{fresh?.hint} is in use</Badge>
          </p>
          <div className="dialog-end">
            <Button kind="primary" onClick={onClose}>Done</Button>
          </div>
        </div>
      )}
    </Dialog>
  )
}
