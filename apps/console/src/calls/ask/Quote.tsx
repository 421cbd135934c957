import { useState } from "react"
import { hasMarkdownSigns } from "../../text/textForm.ts"
import { Markdown } from "../../text/Markdown.tsx"
import { withTableRules } from "../../text/tables.ts"
import { Button } from "../../ui/Button.tsx"

/** Characters of a quote that is shown at once. */
const SHORT = 700

/** A quote, of which a long one is cut at a word until it is opened. */
export const Quote = ({ text }: { readonly text: string }) => {
  const [isWhole, setWhole] = useState(text.length <= SHORT)
  const shown = isWhole ? text : text.slice(0, SHORT).replace(/\S{0,40}$/u, "…")
  return (
    <>
      {hasMarkdownSigns(text)
        ? (
          <blockquote className="quote small">
            <Markdown source={withTableRules(shown)} />
          </blockquote>
        )
        : <q className="quote small" dir="auto">{shown}</q>}
      {!isWhole && (
        <div>
          <Button kind="quiet" small onClick={() => setWhole(true)}>Show all</Button>
        </div>
      )}
    </>
  )
}
