import { useState } from "react"
import type { Webhook } from "../api/models.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/dialogs/Confirm.tsx"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { toast } from "../ui/feedback/Toasts.tsx"
import { attempt } from "../ui/feedback/useWork.ts"
import { Card, Empty } from "../ui/Page.tsx"
import { Moment } from "../ui/time/Moment.tsx"
import { Deliveries } from "./Deliveries.tsx"
import { NewWebhook } from "./NewWebhook.tsx"
import { useEvictWebhook, useWebhooks } from "./useWebhooks.ts"
import { useChange } from "../ui/feedback/useChange.ts"

const Row = ({ onDelete, webhook }: { readonly webhook: Webhook; readonly onDelete: () => void }) => {
  const { client } = useWorkspace()
  const change = useChange("webhooks")
  const [open, setOpen] = useState(false)
  const { error, event_types, failing_since, status, url, webhook_id } = webhook
  const isActive = status === "active"
  const act = (work: () => Promise<unknown>, said: string) => attempt(() => change(work, said))
  return (
    <li>
      <div>
        <div className="row-title">
          <bdi>{url}</bdi>
          <Badge tone={!isActive ? "plain" : failing_since === null ? "good" : "bad"}>
            {!isActive ? "Switched off" : failing_since === null ? "Active" : "Failing"}
          </Badge>
        </div>
        <div className="facts">
          <span className="mono">{event_types.join(", ")}</span>
          {failing_since !== null && (
            <span>
              failing since <Moment at={failing_since} />
            </span>
          )}
        </div>
        {error !== null && <p className="small bad-text wrap-anywhere">{error}</p>}
      </div>
      <div className="buttons">
        <Button
          small
          aria-label={`Send a test to ${url}`}
          onClick={() => {
            setOpen(true)
            return act(() => client.webhooks.test(webhook_id), "A test is sent.")
          }}
        >
          Send a test
        </Button>
        <Button small aria-expanded={open} aria-label={`Deliveries to ${url}`} onClick={() => setOpen(!open)}>
          Deliveries
        </Button>
        <Button
          small
          aria-label={`${isActive ? "Switch off" : "Switch on"} ${url}`}
          onClick={() =>
            act(
              () => client.webhooks.update(webhook_id, { status: isActive ? "disabled" : "active" }),
              isActive ? "Nothing is sent to it any more." : "It is sent what happens again."
            )}
        >
          {isActive ? "Switch off" : "Switch on"}
        </Button>
        <Button small kind="quiet bad" aria-label={`Delete ${url}`} onClick={onDelete}>Delete</Button>
      </div>
      {open && (
        <div className="row-more">
          <Deliveries webhookId={webhook_id} />
        </div>
      )}
    </li>
  )
}

export const Webhooks = () => {
  const { client } = useWorkspace()
  const webhooks = useWebhooks()
  const { data } = webhooks
  const evict = useEvictWebhook()
  const [adding, setAdding] = useState(false)
  const [deleting, setDeleting] = useState<Webhook | null>(null)
  const remove = async ({ webhook_id }: Webhook) => {
    await client.webhooks.delete(webhook_id)
    evict(webhook_id)
    toast("The webhook is deleted.")
  }
  return (
    <Card flush title="Webhooks" aside={<Button small onClick={() => setAdding(true)}>Add a webhook</Button>}>
      {data === undefined && <NotLoaded flush query={webhooks} what="The webhooks cannot be shown" />}
      {data?.length === 0 && (
        <Empty icon="events" title="No webhook yet">
          <p>The server can send signed events to an address of yours, and retries until they are accepted.</p>
        </Empty>
      )}
      <ul className="rows" aria-label="Webhooks">
        {data?.map((webhook) => (
          <Row
            key={webhook.webhook_id}
            webhook={webhook}
            onDelete={() => setDeleting(webhook)}
          />
        ))}
      </ul>
      {adding && <NewWebhook onClose={() => setAdding(false)} />}
      {deleting !== null && (
        <Confirm
          title="Delete this webhook?"
          action="Delete webhook"
          onConfirm={() => remove(deleting)}
          onClose={() => setDeleting(null)}
        >
          <p className="wrap-anywhere">
            Nothing is sent to <bdi>{deleting.url}</bdi> any more.
          </p>
        </Confirm>
      )}
    </Card>
  )
}
