import type { KeptAnswer } from "./answerHistory.ts"
import { AskedView } from "./AskedView.tsx"
import { type Asked, settled } from "./useAnswer.ts"

const scrollIntoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: "start" })

interface Props {
  readonly answers: ReadonlyArray<KeptAnswer>
  readonly open: Asked | null
}

/** Questions and answers, oldest first. A follow-up is scrolled to when it is asked, and grows downwards. */
export const Conversation = ({ answers, open }: Props) => {
  const thread = [...answers.map(settled), ...(open === null ? [] : [open])]
  if (thread.length === 0) return null
  return (
    <ol className="thread" aria-label="Conversation">
      {thread.map((asked, index) => (
        <li key={index} ref={index > 0 && asked === open ? scrollIntoView : null}>
          <AskedView asked={asked} />
        </li>
      ))}
    </ol>
  )
}
