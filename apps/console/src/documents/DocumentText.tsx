import { useMemo, useState } from "react"
import type { FullDocument } from "../api/models.ts"
import { blocksOf } from "../text/blocks.ts"
import { LongText } from "../text/LongText.tsx"
import type { Stretches } from "../text/Markdown.tsx"
import { occurrencesOf } from "../text/occurrences.ts"
import { Occurrences } from "../text/Occurrences.tsx"
import { passagesOf } from "../text/passages.ts"
import { hasLines, isCode, isMarkdown } from "../text/textForm.ts"
import { amount } from "../ui/numbers.ts"
import { Card } from "../ui/Page.tsx"
import { Tabs } from "../ui/Tabs.tsx"

const FORMS = [["rendered", "Rendered"], ["stored", "As stored"], ["passages", "Passages"]] as const

interface Props {
  readonly document: FullDocument
  /** What a citation points at, or words that were searched for. */
  readonly place: { readonly start?: number; readonly end?: number; readonly find?: string }
}

export const DocumentText = ({ document, place: { end, find, start } }: Props) => {
  const { text } = document
  const markdown = isMarkdown(document)
  const [form, setForm] = useState<typeof FORMS[number][0]>(markdown ? "rendered" : "stored")
  const [step, setStep] = useState({ find, to: 0 })
  /** The first one of other words. */
  const current = step.find === find ? step.to : 0
  const stretches = useMemo((): Stretches => {
    if (start !== undefined && end !== undefined) return [[start, end]]
    return find === undefined ? [] : occurrencesOf(text, find)
  }, [text, start, end, find])
  const blocks = useMemo(() => form === "passages" ? passagesOf(text) : blocksOf(text), [text, form])
  const forms = FORMS.filter(([one]) => markdown || one !== "rendered")
  return (
    <Card
      title="Text"
      aside={
        <div className="buttons">
          {find !== undefined && (
            <Occurrences
              count={stretches.length}
              current={current}
              onChange={(to) => setStep({ find, to })}
              words={find}
            />
          )}
          <Tabs label="How it is shown" options={forms} chosen={form} onChoose={setForm} />
        </div>
      }
    >
      {form === "passages" && (
        <p className="small soft">
          The text is found and quoted by {amount(blocks.length, "passage")} of about a hundred words.
        </p>
      )}
      {text === "" ? <span className="soft">This document has no text.</span> : (
        <LongText
          key={form}
          blocks={blocks}
          numbered={form === "passages"}
          rendered={form === "rendered"}
          lined={hasLines(document)}
          code={isCode(document)}
          stretches={stretches}
          current={stretches.length === 0 ? null : current}
        />
      )}
    </Card>
  )
}
