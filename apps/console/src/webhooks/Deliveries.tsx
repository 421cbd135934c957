import type { WebhookDelivery } from "../api/models.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { attempt } from "../ui/feedback/useWork.ts"
import { amount } from "../ui/numbers.ts"
import { Moment } from "../ui/time/Moment.tsx"
import { useDeliveries } from "./useWebhooks.ts"
import { useChange } from "../ui/feedback/useChange.ts"

const STATES = { pending: ["plain", "Waiting"], succeeded: ["good", "Taken"], failed: ["bad", "Failed"] } as const

interface RowProps {
  readonly webhookId: string
  readonly delivery: WebhookDelivery
}

const Row = ({ delivery, webhookId }: RowProps) => {
  const { client } = useWorkspace()
  const change = useChange("webhooks")
  const { attempts, created_at, event_id, event_type, last_attempt, next_attempt_at, status } = delivery
  const [tone, word] = STATES[status]
  const resend = () => attempt(() => change(() => client.webhooks.resend(webhookId, event_id)))
  return (
    <li>
      <div>
        <div className="row-title">
          <Badge tone={tone}>{word}</Badge> <span className="mono">{event_type}</span>
        </div>
        <div className="facts">
          <span>
            <Moment at={created_at} />
          </span>
          <span>{amount(attempts, "attempt")}</span>
          {typeof last_attempt?.status === "number" && <span>answered {last_attempt.status}</span>}
          {last_attempt !== null && <span className="numeric">{last_attempt.duration_ms} ms</span>}
          {next_attempt_at !== null && (
            <span>
              next attempt <Moment at={next_attempt_at} />
            </span>
          )}
        </div>
        {typeof last_attempt?.error === "string" && <p className="small bad-text wrap-anywhere">{last_attempt.error}
        </p>}
      </div>
      <Button small aria-label={`Send again: ${event_type}`} onClick={() => resend()}>Send again</Button>
    </li>
  )
}

export const Deliveries = ({ webhookId }: { readonly webhookId: string }) => {
  const deliveries = useDeliveries(webhookId)
  const { data } = deliveries
  if (data === undefined) {
    return <NotLoaded query={deliveries} what="The deliveries cannot be shown" lines={2} />
  }
  if (data.length === 0) {
    return <p className="small soft" role="status">Nothing was sent yet. Send a test to see it arrive.</p>
  }
  return (
    <ul className="rows nested" aria-label="Deliveries">
      {data.map((delivery) => <Row key={delivery.event_id} webhookId={webhookId} delivery={delivery} />)}
    </ul>
  )
}
