import { useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { consoleApi, type IssuedKey, type Key, type Traffic } from "../api/consoleApi.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { isExpiring } from "../keys/isExpiring.ts"
import { isUsable } from "../keys/isUsable.ts"
import { NewKey } from "../keys/NewKey.tsx"
import { KeyRow } from "../keys/KeyRow.tsx"
import { Rotation } from "../keys/Rotation.tsx"
import { Secret } from "../keys/Secret.tsx"
import { daysOf, sumOf } from "../keys/traffic.ts"
import { useKeys, useTraffic } from "../keys/useKeys.ts"
import { ExportButtons } from "../lists/ExportButtons.tsx"
import type { Row } from "../lists/exporting.ts"
import { ListHead } from "../lists/ListHead.tsx"
import { hasWords, type ListSearch } from "../lists/listSearch.ts"
import { useActorNames } from "../members/useActorNames.ts"
import { ForOwners } from "../shell/ForOwners.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/dialogs/Confirm.tsx"
import { Dialog } from "../ui/dialogs/Dialog.tsx"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { Icon } from "../ui/Icon.tsx"
import { amount } from "../ui/numbers.ts"
import { Card, Empty, Page } from "../ui/Page.tsx"
import { useChange } from "../ui/feedback/useChange.ts"

const PATH = "/w/$workspaceId/keys"

const STATES = {
  label: "State",
  of: [["", "All"], ["usable", "In use"], ["expiring", "About to expire"], ["ended", "No longer in use"]]
} as const

const isIn = (state: string | undefined, key: Key): boolean =>
  state === undefined || (state === "expiring" ? isExpiring(key) : (state === "usable") === isUsable(key))

const rowOf = (
  { created_at, expires_at, hint, key_id, last_used_at, name, revoked_at, scopes }: Key,
  traffic: ReadonlyArray<Traffic>
): Row => ({
  key_id,
  name,
  hint,
  scopes: scopes.join(" "),
  created_at,
  last_used_at,
  expires_at,
  revoked_at,
  requests_in_30_days: sumOf(daysOf(traffic, key_id, Date.now()))
})

type Open = { readonly what: "new" } | { readonly what: "rotate" | "revoke"; readonly key: Key } | null

const Made = ({ issued, onClose }: { readonly issued: IssuedKey; readonly onClose: () => void }) => (
  <>
    <Secret secret={issued.secret} />
    <div className="dialog-end">
      <Button kind="primary" onClick={onClose}>I have copied it</Button>
    </div>
  </>
)

const AllKeys = () => {
  const { workspace } = useWorkspace()
  const change = useChange("keys")
  const keys = useKeys()
  const { data: traffic = [] } = useTraffic()
  const nameOf = useActorNames()
  const [open, setOpen] = useState<Open>(null)
  const [issued, setIssued] = useState<IssuedKey | null>(null)
  const close = () => {
    setOpen(null)
    setIssued(null)
  }
  const revoke = ({ key_id, name }: Key) =>
    change(() => consoleApi.revokeKey(workspace.workspace_id, key_id), `“${name}” is revoked.`)
  const search = useSearch({ from: PATH })
  const navigate = useNavigate({ from: PATH })
  const onSearch = (search: ListSearch) => void navigate({ search, replace: true })
  const sorted = (keys.data ?? []).filter((key) =>
    hasWords(search, key.name, key.hint, ...key.scopes) && isIn(search.is, key)
  ).toSorted((left, right) =>
    Number(isUsable(right)) - Number(isUsable(left)) ||
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
      <Card flush>
        {keys.data === undefined && <NotLoaded flush query={keys} what="The keys cannot be shown" lines={6} />}
        {keys.data?.length === 0 && (
          <Empty icon="keys" title="No key yet">
            <p>
              A key lets a program of yours push documents, search and ask. Make one for each program, so that you can
              revoke one without stopping the others.
            </p>
            <Button kind="primary" onClick={() => setOpen({ what: "new" })}>Create the first key</Button>
          </Empty>
        )}
        {keys.data !== undefined && keys.data.length > 0 && (
          <ListHead label="Find a key" search={search} onSearch={onSearch} choices={STATES}>
            <span role="status" className="numeric soft">{amount(sorted.length, "key")}</span>
            <ExportButtons
              name="api-keys"
              rows={() =>
                sorted.map((key) =>
                  rowOf(key, traffic)
                )}
            />
          </ListHead>
        )}
        {keys.data !== undefined && keys.data.length > 0 && sorted.length === 0 && (
          <Empty icon="search" title="No key matches">
            <p>This looks at names, scopes, and the last four characters.</p>
          </Empty>
        )}
        <ul className="rows">
          {sorted.map((key) => (
            <KeyRow
              key={key.key_id}
              value={key}
              keys={keys.data ?? []}
              traffic={traffic}
              creator={nameOf(key.created_by)}
              onRotate={() => setOpen({ what: "rotate", key })}
              onRevoke={() => setOpen({ what: "revoke", key })}
            />
          ))}
        </ul>
      </Card>
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
            It made {amount(sumOf(daysOf(traffic, open.key.key_id, Date.now())), "request")}{" "}
            in the last 30 days. To replace it without a gap, rotate it instead.
          </p>
        </Confirm>
      )}
    </Page>
  )
}

export const Keys = () => (
  <ForOwners title="API keys">
    <AllKeys />
  </ForOwners>
)
