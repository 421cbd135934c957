import { useState } from "react"
import { useServer } from "../../api/useServer.ts"
import { CodeBlock } from "../../ui/CodeBlock.tsx"
import { type Call, formsFor, programOf } from "./snippets.ts"

/** The same call from elsewhere. */
export const CallCode = ({ call }: { readonly call: Call }) => {
  const forms = formsFor(useServer(), call)
  const [chosen, setChosen] = useState<string>()
  const form = forms.find(({ name }) => name === chosen) ?? forms[0]!
  return (
    <section className="card" aria-label="The same call from your own program">
      <div className="card-head">
        <h2>The same call</h2>
        <div className="tabs" role="group" aria-label="Language">
          {forms.map((one) => (
            <button
              key={one.name}
              type="button"
              aria-pressed={form.name === one.name}
              onClick={() => setChosen(one.name)}
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
