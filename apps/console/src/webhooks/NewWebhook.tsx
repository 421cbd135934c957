import { type FormEvent, useState } from "react"
import type { IssuedWebhook, WebhookEventType } from "../api/models.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Button } from "../ui/Button.tsx"
import { CodeBlock } from "../ui/CodeBlock.tsx"
import { Dialog } from "../ui/dialogs/Dialog.tsx"
import { Failure } from "../ui/feedback/Failure.tsx"
import { useWork } from "../ui/feedback/useWork.ts"
import { Field } from "../ui/forms/Field.tsx"
import { EVENT_TYPES } from "./eventTypes.ts"
import { useWebhooksChanged } from "./useWebhooks.ts"

const DOCUMENTS: ReadonlyArray<WebhookEventType> = ["document.created", "document.updated", "document.deleted"]

const Made = ({ onClose, webhook: { secret } }: { readonly webhook: IssuedWebhook; readonly onClose: () => void }) => (
  <div className="stack">
    <p className="note warn">
      <strong>Copy the secret now: it is shown this once.</strong>
      Your program checks the signature of every delivery with it.
    </p>
    <CodeBlock title="The secret" code={secret} />
    <CodeBlock
      title="Check a delivery, with npm install standardwebhooks"
      code={`import { Webhook } from "standardwebhooks"

// The body as it came, before it is parsed.
const event = new Webhook(process.env.WEBHOOK_SECRET).verify(body, request.headers)`}
    />
    <div className="dialog-end">
      <Button kind="primary" onClick={onClose}>I have copied it</Button>
    </div>
  </div>
)

export const NewWebhook = ({ onClose }: { readonly onClose: () => void }) => {
  const { client } = useWorkspace()
  const changed = useWebhooksChanged()
  const [url, setUrl] = useState("")
  const [types, setTypes] = useState<ReadonlySet<WebhookEventType>>(new Set(DOCUMENTS))
  const [tried, setTried] = useState(false)
  const [made, setMade] = useState<IssuedWebhook | null>(null)
  const { busy, error, run } = useWork()
  const isUrl = URL.canParse(url) && /^https?:/i.test(url)
  const toggle = (type: WebhookEventType) => {
    const next = new Set(types)
    if (!next.delete(type)) next.add(type)
    setTypes(next)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isUrl || types.size === 0) return
    void run(async () => {
      setMade(await client.webhooks.create({ url, event_types: [...types] }))
      await changed()
    })
  }
  if (made !== null) {
    return (
      <Dialog title="Your new webhook" onClose={onClose} closable={false}>
        <Made webhook={made} onClose={onClose} />
      </Dialog>
    )
  }
  return (
    <Dialog title="Add a webhook" onClose={onClose}>
      <form className="form" onSubmit={submit} noValidate>
        <Field
          label="Address"
          hint="Of your program. It gets a POST with each event."
          fault={tried && !isUrl ? "Give an address that begins with https://." : null}
        >
          {(control) => (
            <input
              {...control}
              type="url"
              value={url}
              maxLength={2_000}
              placeholder="https://"
              autoComplete="off"
              onChange={({ target }) => setUrl(target.value)}
            />
          )}
        </Field>
        <fieldset>
          <legend className="legend">What it is sent</legend>
          <div className="choices">
            {EVENT_TYPES.map(([type, what]) => (
              <label key={type} className="choice">
                <input type="checkbox" checked={types.has(type)} onChange={() => toggle(type)} />
                <b className="mono">{type}</b>
                <span className="what">{what}</span>
              </label>
            ))}
          </div>
          {tried && types.size === 0 && (
            <p className="field" role="alert">
              <span className="fault">Choose at least one.</span>
            </p>
          )}
        </fieldset>
        {error !== null && <Failure error={error} what="It was not added" />}
        <div className="dialog-end">
          <Button type="submit" kind="primary" busy={busy}>Add webhook</Button>
        </div>
      </form>
    </Dialog>
  )
}
