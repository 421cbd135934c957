import { useState } from "react"
import type { IssuedWebhook, WebhookEventType } from "../api/models.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Button } from "../ui/Button.tsx"
import { CodeBlock } from "../ui/CodeBlock.tsx"
import { Dialog } from "../ui/dialogs/Dialog.tsx"
import { Form } from "../ui/forms/Form.tsx"
import { useForm } from "../ui/forms/useForm.ts"
import { EVENT_TYPES } from "./eventTypes.ts"

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

const isUrl = (text: string): boolean => URL.canParse(text) && /^https?:/i.test(text)

const WebhookForm = ({ onMade }: { readonly onMade: (webhook: IssuedWebhook) => void }) => {
  const { changed, client } = useWorkspace()
  const form = useForm({
    values: { url: "", types: DOCUMENTS },
    check: ({ types, url }) => ({
      url: !isUrl(url) && "Give an address that begins with https://.",
      types: types.length === 0 && "Choose at least one."
    }),
    submit: async ({ types, url }) => {
      onMade(await client.webhooks.create({ url, event_types: types }))
      await changed("webhooks")
    }
  })
  return (
    <Form form={form} action="Add webhook" failure="It was not added">
      <form.AppField name="url">
        {({ Text }) => (
          <Text
            label="Address"
            hint="Of your program. It gets a POST with each event."
            type="url"
            maxLength={2_000}
            placeholder="https://"
          />
        )}
      </form.AppField>
      <fieldset>
        <legend className="legend">What it is sent</legend>
        <form.AppField name="types">{({ Choices }) => <Choices options={EVENT_TYPES} />}</form.AppField>
      </fieldset>
    </Form>
  )
}

export const NewWebhook = ({ onClose }: { readonly onClose: () => void }) => {
  const [made, setMade] = useState<IssuedWebhook | null>(null)
  return made === null
    ? (
      <Dialog title="Add a webhook" onClose={onClose}>
        <WebhookForm onMade={setMade} />
      </Dialog>
    )
    : (
      <Dialog title="Your new webhook" onClose={onClose} closable={false}>
        <Made webhook={made} onClose={onClose} />
      </Dialog>
    )
}
