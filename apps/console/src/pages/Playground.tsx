import { useNavigate, useSearch } from "@tanstack/react-router"
import { ANSWERS } from "../api/signedOut.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { ownerOf } from "../calls/ask/answerHistory.ts"
import { AskPanel } from "../calls/ask/AskPanel.tsx"
import type { CallSearch } from "../calls/filters/callSearch.ts"
import { useKeptCallDraft } from "../calls/filters/useCallDraft.ts"
import { SearchPanel } from "../calls/search/SearchPanel.tsx"
import { Page } from "../ui/Page.tsx"
import { Tabs } from "../ui/Tabs.tsx"

const PATH = "/w/$workspaceId/playground"

const MODES = [["ask", "Ask"], ["search", "Search"]] as const

export const Playground = () => {
  const { mode = "ask", ...search } = useSearch({ from: PATH })
  const navigate = useNavigate({ from: PATH })
  const { me, workspace } = useWorkspace()
  const show = (search: CallSearch, mode: "ask" | "search") =>
    void navigate({ search: mode === "ask" ? search : { ...search, mode } })
  // What is typed is there in the other mode, too.
  const { change, draft, forget } = useKeptCallDraft(search, `${ANSWERS}question.${ownerOf(me, workspace)}`)
  const panel = {
    search,
    draft,
    onDraft: change,
    onSent: forget,
    onSearch: (search: CallSearch) => {
      forget()
      show(search, mode)
    }
  }
  return (
    <Page
      title="Playground"
      lead="Ask and search as your programs do, and copy the call. Requests count against the same limits."
      actions={<Tabs label="What to try" options={MODES} chosen={mode} onChoose={(mode) => show(search, mode)} />}
    >
      {mode === "ask" ? <AskPanel {...panel} /> : <SearchPanel {...panel} />}
    </Page>
  )
}
