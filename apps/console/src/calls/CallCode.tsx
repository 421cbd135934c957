import { useState } from "react"
import { CodeBlock } from "../ui/CodeBlock.tsx"

interface Props {
  readonly curl: string
  readonly program: string
}

/** The same call from elsewhere. */
export const CallCode = ({ curl, program }: Props) => {
  const [form, setForm] = useState<"curl" | "program">("curl")
  return (
    <section className="card" aria-label="The same call from your own program">
      <div className="card-head">
        <h2>The same call</h2>
        <div className="tabs" role="group" aria-label="Language">
          <button type="button" aria-pressed={form === "curl"} onClick={() => setForm("curl")}>curl</button>
          <button type="button" aria-pressed={form === "program"} onClick={() => setForm("program")}>TypeScript</button>
        </div>
      </div>
      {form === "curl"
        ? <CodeBlock title="With an API key in $KEY" code={curl} />
        : <CodeBlock title="With @tributary/client and an API key in KEY" code={program} />}
    </section>
  )
}
