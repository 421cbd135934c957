import { SERVER } from "../api/server.ts"
import { CodeBlock } from "../ui/CodeBlock.tsx"
import { Copy } from "../ui/Copy.tsx"

/** Shows a secret once. */
export const Secret = ({ secret }: { readonly secret: string }) => (
  <div className="stack">
    <p className="note warn">
      <strong>Copy it now: it is shown this once.</strong>
      Only a hash of it is stored. Keep it in a secret store, never in a repository or a web page.
    </p>
    <div className="secret">
      <code aria-label="The secret">{secret}</code>
      <Copy text={secret} />
    </div>
    <CodeBlock
      title="Try it"
      code={`curl ${SERVER}/v1/usage/current \\\n  -H "Authorization: Bearer ${secret}"`}
    />
  </div>
)
