import { useState } from "react"
import { CodeBlock } from "../../ui/CodeBlock.tsx"
import { type Call, FORMS, programOf } from "./snippets.ts"

/** The same call from elsewhere. */
export const CallCode = ({ call }: { readonly call: Call }) => {
  const [form, setForm] = useState<typeof FORMS[number]>(FORMS[0])
  return (
    <section className="card" aria-label="The same call from your own program">
      <div className="card-head">
        <h2>The same call</h2>
        <div className="tabs" role="group" aria-label="Language">
          {FORMS.map((one) => (
            <button
              key={one.name}
              type="button"
              aria-pressed={form === one}
              onClick={() => setForm(one)}
            >
              {one.name}
            </button>
          ))}
        </div>
      </div>
      <CodeBlock title={form.title} code={programOf(form.name, call)} />
    </section>
  )
}
