import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { consoleApi, type IssuedKey, type Key } from "../api/consoleApi.ts"
import { SERVER } from "../api/server.ts"
import { useServer } from "../api/useServer.ts"
import { useWorkspace } from "../api/workspace.tsx"
import type { Client } from "../connect/Client.ts"
import { ClientPicker } from "../connect/ClientPicker.tsx"
import { clientOf, groupsFor } from "../connect/clients.ts"
import type { ConnectSearch } from "../connect/connectSearch.ts"
import { FirstRequest } from "../connect/FirstRequest.tsx"
import { KeyChoice } from "../connect/KeyChoice.tsx"
import { isUsable } from "../keys/isUsable.ts"
import { useKeys } from "../keys/useKeys.ts"
import { Webhooks } from "../webhooks/Webhooks.tsx"
import { CodeBlock } from "../ui/CodeBlock.tsx"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { Card, Page } from "../ui/Page.tsx"

const PATH = "/w/$workspaceId/connect"

/** Placeholder for a secret that cannot be shown again. */
const UNKNOWN = "pk_live_..."

/** Polled often, because somebody waits for the first request. */
const WATCHED = 2_000

type State = "done" | "now" | "later"

const Step = ({ children, state, title }: {
  readonly title: string
  readonly state: State
  readonly children: ReactNode
}) => (
  <li data-state={state}>
    <h3>{title}</h3>
    <div className="stack">{children}</div>
  </li>
)

const Snippets = ({ client, secret }: { readonly client: Client; readonly secret: string | undefined }) => (
  <>
    <p className="soft wrap-anywhere">{client.about}</p>
    {client.snippets({ url: SERVER, key: secret ?? UNKNOWN }).map(({ code, title }) => (
      <CodeBlock key={title} title={title} code={code} />
    ))}
  </>
)

interface WithKeyProps {
  readonly client: Client
  readonly keys: ReadonlyArray<Key>
  readonly chosen: string | undefined
  readonly onChoose: (keyId: string | undefined) => void
}

const WithKey = ({ chosen, client, keys, onChoose }: WithKeyProps) => {
  // The secret is kept only while the page is open.
  const [made, setMade] = useState<IssuedKey | null>(null)
  const usable = keys.filter(isUsable)
  const key = usable.find(({ key_id }) => key_id === chosen)
  const secret = made !== null && made.key_id === chosen ? made.secret : undefined
  const used = key !== undefined && key.last_used_at !== null
  return (
    <ol className="steps">
      <Step title="Choose a key" state={key === undefined ? "now" : "done"}>
        <KeyChoice
          client={client}
          keys={usable}
          chosen={key?.key_id}
          onChoose={(id) => onChoose(id === "" ? undefined : id)}
          onMade={(key) => {
            setMade(key)
            onChoose(key.key_id)
          }}
        />
        {secret !== undefined && (
          <>
            <p className="note warn">
              <strong>The new key is filled in below. It is shown this once.</strong>
              Only a hash of it is stored.
            </p>
            <CodeBlock title="The key alone" code={secret} />
          </>
        )}
        {key !== undefined && secret === undefined && (
          <p className="soft">
            Only a hash of this key is stored: where it says <code>{UNKNOWN}</code>, put in the one that ends in{" "}
            <code>{key.hint}</code>.
          </p>
        )}
      </Step>
      <Step title="Paste this" state={key === undefined ? "later" : used ? "done" : "now"}>
        <Snippets client={client} secret={secret} />
      </Step>
      <Step title="See the first request" state={key === undefined ? "later" : used ? "done" : "now"}>
        {key === undefined
          ? <p className="soft">Once a key is chosen, this page says when the first request comes with it.</p>
          : <FirstRequest key={key.key_id} value={key} />}
      </Step>
    </ol>
  )
}

/** Signing in from a client needs an identity provider. */
const SignsIn = ({ client }: { readonly client: Client }) => {
  const ways = useQuery({ queryKey: ["sign-in"], queryFn: consoleApi.waysToSignIn, staleTime: 60_000 })
  if (ways.data === undefined) {
    return <NotLoaded query={ways} what="The ways to sign in cannot be shown" />
  }
  return (
    <div className="stack">
      {!ways.data.provider && (
        <p className="note warn">
          <strong>{client.name} cannot sign in to this server yet</strong>
          It needs OpenID Connect, which the operator of the server sets up.
        </p>
      )}
      <Snippets client={client} secret={undefined} />
    </div>
  )
}

export const Connect = () => {
  const { isOwner, workspace: { workspace_id } } = useWorkspace()
  const search = useSearch({ from: PATH })
  const navigate = useNavigate({ from: PATH })
  const keys = useKeys(WATCHED)
  const { mcp } = useServer()
  const groups = groupsFor({ mcp })
  const client = clientOf(groups, search.with)
  const to = (search: ConnectSearch) => void navigate({ search, replace: true, resetScroll: false })
  const onChoose = (key: string | undefined) => to({ with: client.id, ...(key === undefined ? {} : { key }) })
  return (
    <Page
      title="Connect"
      lead={`${
        mcp ? "Assistants and programs" : "Programs"
      } that use this workspace: what to paste where, each with a key of its own.`}
    >
      <Card title="What is it for?">
        {!mcp && (
          <p className="small soft">Assistants cannot connect to this server: it runs with TRIBUTARY_MCP=false.</p>
        )}
        <ClientPicker groups={groups} chosen={client} onChoose={({ id }) => to({ with: id })} />
      </Card>
      <Card title={client.name}>
        {client.signsIn === true
          ? <SignsIn client={client} />
          : !isOwner
          ? (
            <div className="stack">
              <p className="note">
                <strong>An owner of the workspace makes the key</strong>
                Ask for one, and put it where it says <code>{UNKNOWN}</code>.
              </p>
              <Snippets client={client} secret={undefined} />
            </div>
          )
          : keys.data === undefined
          ? <NotLoaded query={keys} what="The keys cannot be shown" lines={6} />
          : <WithKey client={client} keys={keys.data} chosen={search.key} onChoose={onChoose} />}
      </Card>
      {isOwner && <Webhooks />}
      {isOwner && (
        <p className="small soft">
          Every key is listed under{" "}
          <Link to="/w/$workspaceId/keys" params={{ workspaceId: workspace_id }}>API keys</Link>, where it is rotated
          and revoked.
        </p>
      )}
    </Page>
  )
}
