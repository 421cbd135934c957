import { EXTRACTIVE, hasModel } from "@tributary/core/model/AskHistory"
import { useNavigate } from "@tanstack/react-router"
import { useRef } from "react"
import { useWorkspace } from "../../api/workspace.tsx"
import { UnsavedGuard } from "../../ui/dialogs/UnsavedGuard.tsx"
import { toast } from "../../ui/feedback/Toasts.tsx"
import { attempt } from "../../ui/feedback/useWork.ts"
import { CallCode } from "../code/CallCode.tsx"
import { type CallSearch, callSearchOf } from "../filters/callSearch.ts"
import { useAnswerLanguage } from "./answerLanguage.ts"
import { AskForm } from "./AskForm.tsx"
import { askRequest, exchangesOf } from "./askRequest.ts"
import { Conversation } from "./Conversation.tsx"
import { EarlierQuestions } from "./EarlierQuestions.tsx"
import { FollowUpForm } from "./FollowUpForm.tsx"
import { useAnswer } from "./useAnswer.ts"
import { useFollowUps } from "./useFollowUps.ts"

interface Props {
  readonly search: CallSearch
  readonly draft: CallSearch
  readonly onDraft: (draft: CallSearch) => void
  /** The draft was sent, and the address stays. */
  readonly onSent: () => void
  /** Puts the question into the address. */
  readonly onSearch: (search: CallSearch) => void
}

export const AskPanel = ({ draft, onDraft, onSearch, onSent, search }: Props) => {
  const { client, workspace } = useWorkspace()
  const navigate = useNavigate()
  const [language, setLanguage] = useAnswerLanguage()
  const { answers, ask, asking, open, owner, stop } = useAnswer(search)
  const followUps = useFollowUps(owner, search)
  const question = useRef<HTMLTextAreaElement>(null)
  const onStop = asking === null ? null : stop
  const askFollowUp = async (query: string) => {
    if (await ask(search, askRequest({ search, query, language, answers }), answers)) followUps.sent(query)
  }
  const firstOf = (search: CallSearch) => askRequest({ search, query: search.q ?? "", language })
  const askLater = (search: CallSearch) =>
    attempt(async () => {
      await client.knowledge.askLater(firstOf(search))
      onSent()
      toast("The question waits for its answer.")
      await navigate({ to: "/w/$workspaceId/jobs", params: { workspaceId: workspace.workspace_id } })
    })
  const last = open?.request ?? answers.at(-1)?.request

  return (
    <>
      <UnsavedGuard changed={() => followUps.hasUnsent(asking?.query)} />
      <AskForm
        search={search}
        draft={draft}
        onDraft={onDraft}
        question={question}
        language={language}
        onLanguage={setLanguage}
        onStop={answers.length === 0 ? onStop : null}
        onAsk={(search) => {
          void ask(search, firstOf(search), [])
          onSearch(search)
        }}
        onAskLater={askLater}
      />
      <Conversation answers={answers} open={open} />
      {hasModel(exchangesOf(answers)) && (
        <FollowUpForm
          value={followUps.draft}
          onChange={followUps.change}
          wasRead={answers.at(-1)?.answer.model !== EXTRACTIVE}
          onStop={onStop}
          onAsk={(query) => void askFollowUp(query)}
          onNew={(q) => {
            followUps.change("")
            onSearch(callSearchOf({ ...search, q }))
            question.current?.focus()
          }}
        />
      )}
      {last !== undefined && <CallCode call={{ operation: "ask", body: last }} />}
      <EarlierQuestions owner={owner} />
    </>
  )
}
