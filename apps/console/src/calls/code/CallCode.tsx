import { useState } from "react"
import { useServer } from "../../api/useServer.ts"
import { CodeBlock } from "../../ui/CodeBlock.tsx"
import { Tabs } from "../../ui/Tabs.tsx"
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
        <Tabs
          label="Language"
          options={forms.map(({ name }) => [name, name] as const)}
          chosen={form.name}
          onChoose={setChosen}
        />
      </div>
      <CodeBlock title={form.title} code={programOf(form.name, call)} />
    </section>
  )
}
