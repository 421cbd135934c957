import { useDeferredValue } from "react"
import type { Answer, Citation } from "../../api/models.ts"
import { blocksOf } from "../../text/blocks.ts"
import { Markdown } from "../../text/Markdown.tsx"
import { withTableRules } from "../../text/tables.ts"
import { Warnings } from "../../ui/feedback/Warnings.tsx"
import { Source } from "./Source.tsx"
import { type Statement, statementsOf } from "./statements.ts"

interface Props {
  readonly text: string
  readonly citations: ReadonlyArray<Citation>
  /** Null while the answer streams. */
  readonly answer: Answer | null
}

/**
 * In blocks: those that are complete are not read again with each part of an answer that arrives. The parts that arrive
 * while one is rendered are rendered together.
 */
const AnswerText = ({ text }: { readonly text: string }) => (
  <div>
    {blocksOf(useDeferredValue(text)).map(({ opening, start, text }) => (
      <Markdown
        key={start}
        source={opening + text}
      />
    ))}
  </div>
)

/** Compares texts without white space and Markdown marks. */
const bare = (text: string): string => text.replaceAll(/[\s#*_`>|-]+/g, "")

interface RowProps {
  readonly statement: Statement
  readonly byMarker: ReadonlyMap<number | null, Citation>
}

const Row = ({ byMarker, statement: { markers, text } }: RowProps) => {
  const citations = markers.flatMap((marker) => byMarker.get(marker) ?? [])
  // The head of a table is a quote of its own.
  const isHead = (row: string): boolean => citations.some(({ entity }) => entity.quote.trim() === row)
  const said = bare(text)
  return (
    <li className="statement">
      <AnswerText text={withTableRules(text, isHead)} />
      <div className="stack">
        {citations.map((citation) => (
          <Source
            key={citation.entity.marker}
            citation={citation}
            withQuote={!said.includes(bare(citation.entity.quote))}
          />
        ))}
      </div>
    </li>
  )
}

/** An answer, each statement beside its source. */
export const AnswerView = ({ answer, citations, text }: Props) => {
  const byMarker = new Map(citations.map((citation) => [citation.entity.marker, citation]))
  const statements = statementsOf(text)
  const related = answer?.related ?? []
  return (
    <>
      {citations.length === 0
        ? <AnswerText text={text} />
        : (
          <ol className="statements" aria-label="Citations">
            {statements.map((statement, index) => <Row key={index} statement={statement} byMarker={byMarker} />)}
          </ol>
        )}
      {related.length > 0 && (
        <section className="stack" aria-label="Related">
          <h3>What comes closest</h3>
          <ul className="stack">
            {related.map((citation) => (
              <li key={`${citation.entity.id}-${citation.entity.start}`}>
                <Source citation={citation} withQuote />
              </li>
            ))}
          </ul>
        </section>
      )}
      {answer?.truncated === true && (
        <p className="soft small">There is more on this in the context than fits into one answer.</p>
      )}
      <Warnings warnings={answer?.warnings} />
    </>
  )
}
