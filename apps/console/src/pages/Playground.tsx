import { useState } from "react"
import { AskPanel } from "../calls/AskPanel.tsx"
import { SearchPanel } from "../calls/SearchPanel.tsx"
import { Page } from "../ui/Page.tsx"

const MODES = [["ask", "Ask"], ["search", "Search"]] as const

export const Playground = () => {
  const [mode, setMode] = useState<"ask" | "search">("ask")
  return (
    <Page
      title="Playground"
      lead="What your programs get, with the call to put into them. It counts against the limits as theirs do."
      actions={
        <div className="tabs" role="group" aria-label="What to try">
          {MODES.map(([name, label]) => (
            <button
              key={name}
              type="button"
              aria-pressed={mode === name}
              onClick={() => setMode(name)}
            >
              {label}
            </button>
          ))}
        </div>
      }
    >
      {mode === "ask" ? <AskPanel /> : <SearchPanel />}
    </Page>
  )
}
