import { useState } from "react"
import { consoleApi, type IssuedKey, type Key, type Traffic } from "../api/consoleApi.ts"
import { queries } from "../api/queries.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { NewKey } from "../keys/NewKey.tsx"
import { openRotationOf } from "../keys/rotations.ts"
import { Rotation } from "../keys/Rotation.tsx"
import { Secret } from "../keys/Secret.tsx"
import { TrafficBars } from "../keys/TrafficBars.tsx"
import { daysOf, sumOf } from "../keys/traffic.ts"
import { useKeys } from "../keys/useKeys.ts"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Failure } from "../ui/Failure.tsx"
import { Icon } from "../ui/Icon.tsx"
import { dateOf, Moment } from "../ui/Moment.tsx"
import { counted } from "../ui/numbers.ts"
import { Card, CardSkeleton, Empty, Page } from "../ui/Page.tsx"
import { toast } from "../ui/Toasts.tsx"

const StateOf = ({ value }: { readonly value: Key }) => {
  if (value.revoked_at !== null) return <Badge tone="bad">Revoked</Badge>
  if (value.expires_at === null) return <Badge tone="good">Active</Badge>
  return dateOf(value.expires_at).getTime() <= Date.now()
    ? <Badge tone="bad">Expired</Badge>
    : (
      <Badge tone="warn">
        Expires <Moment at={value.expires_at} />
      </Badge>
    )
}

interface RowProps {
  readonly value: Key
  readonly traffic: ReadonlyArray<Traffic>
  readonly creator: string
  readonly onRotate: () => void
  readonly onRevoke: () => void
}

const Row = ({ creator, onRevoke, onRotate, traffic, value }: RowProps) => {
  const days = daysOf(traffic, value.key_id, Date.now())
  const rotate = openRotationOf(value.key_id) === null ? "Rotate" : "Resume rotation"
  return (
    <li>
      <div>
        <div className="row-title">
          {value.name} <span className="mono soft">…{value.hint}</span> <StateOf value={value} />
        </div>
        <div className="facts">
          <span className="mono">{value.scopes.join(", ")}</span>
          <span>
            made <Moment at={value.created_at} /> by {creator}
          </span>
          <span>
            {value.last_used_at === null ? "never used" : (
              <>
                last used <Moment at={value.last_used_at} />
              </>
            )}
          </span>
        </div>
      </div>
      <div className="small soft numeric">
        <TrafficBars days={days} />
        {counted(sumOf(days))} in 30 days
      </div>
      {value.revoked_at === null && (
        <div className="buttons">
          <Button small onClick={onRotate} aria-label={`${rotate}${rotate === "Rotate" ? "" : " of"} ${value.name}`}>
            {rotate}
          </Button>
          <Button small kind="quiet bad" onClick={onRevoke} aria-label={`Revoke ${value.name}`}>Revoke</Button>
        </div>
      )}
    </li>
  )
}

type Open = { readonly what: "new" } | { readonly what: "rotate" | "revoke"; readonly key: Key } | null

const Made = ({ issued, onClose }: { readonly issued: IssuedKey; readonly onClose: () => void }) => (
  <>
    <Secret secret={issued.secret} />
    <div className="dialog-end">
      <Button kind="primary" onClick={onClose}>I have copied it</Button>
    </div>
  </>
)

export const Keys = () => {
  const { me, workspace } = useWorkspace()
  const { keys, traffic } = useKeys()
  const [open, setOpen] = useState<Open>(null)
  const [issued, setIssued] = useState<IssuedKey | null>(null)
  const close = () => {
    setOpen(null)
    setIssued(null)
  }
  const creatorOf = ({ created_by: { id, type } }: Key): string =>
    type === "api_key" ? "a key" : id === me.user.user_id ? "you" : id === "operator" ? "the operator" : "a member"
  const revoke = async ({ key_id, name }: Key) => {
    await consoleApi.revokeKey(workspace.workspace_id, key_id)
    await queries.invalidateQueries({ queryKey: [workspace.workspace_id, "keys"] })
    toast(`“${name}” is revoked.`)
  }
  const sorted = (keys.data ?? []).toSorted((left, right) =>
    Number(left.revoked_at !== null) - Number(right.revoked_at !== null) ||
    right.created_at.localeCompare(left.created_at)
  )

  return (
    <Page
      title="API keys"
      lead="Programs present a key with every request. Each key belongs to this workspace and may do what its scopes say."
      actions={
        <Button kind="primary" onClick={() => setOpen({ what: "new" })}>
          <Icon name="plus" />Create key
        </Button>
      }
    >
      {keys.error !== null && (
        <Failure
          error={keys.error}
          what="The keys cannot be shown"
          retry={() => void keys.refetch()}
        />
      )}
      {keys.error === null && (
        <Card flush>
          {keys.data === undefined
            ? <CardSkeleton lines={6} />
            : null}
          {keys.data?.length === 0 && (
            <Empty icon="keys" title="No key yet">
              <p>
                A key lets a program of yours push documents, search and ask. Make one for each program, so that you can
                revoke one without stopping the others.
              </p>
              <Button kind="primary" onClick={() => setOpen({ what: "new" })}>Create the first key</Button>
            </Empty>
          )}
          <ul className="rows">
            {sorted.map((key) => (
              <Row
                key={key.key_id}
                value={key}
                traffic={traffic.data ?? []}
                creator={creatorOf(key)}
                onRotate={() => setOpen({ what: "rotate", key })}
                onRevoke={() => setOpen({ what: "revoke", key })}
              />
            ))}
          </ul>
        </Card>
      )}
      {open?.what === "new" && (
        <Dialog
          title={issued === null ? "Create an API key" : "Your new key"}
          onClose={close}
          closable={issued === null}
        >
          {issued === null ? <NewKey onMade={setIssued} /> : <Made issued={issued} onClose={close} />}
        </Dialog>
      )}
      {open?.what === "rotate" && <Rotation stale={open.key} onClose={close} />}
      {open?.what === "revoke" && (
        <Confirm
          title={`Revoke “${open.key.name}”?`}
          action="Revoke key"
          onConfirm={() => revoke(open.key)}
          onClose={close}
        >
          <p>
            Every program that uses <span className="mono">…{open.key.hint}</span>{" "}
            is refused from this moment on. This cannot be undone.
          </p>
          <p className="numeric">
            It made {counted(sumOf(daysOf(traffic.data ?? [], open.key.key_id, Date.now())))}{" "}
            requests in the last 30 days. To replace it without a gap, rotate it instead.
          </p>
        </Confirm>
      )}
    </Page>
  )
}
