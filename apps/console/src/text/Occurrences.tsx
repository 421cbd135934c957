import { Button } from "../ui/Button.tsx"
import { counted } from "../ui/numbers.ts"

interface Props {
  readonly words: string
  readonly count: number
  readonly current: number
  readonly onChange: (current: number) => void
}

/** Steps through the matches of the search. */
export const Occurrences = ({ count, current, onChange, words }: Props) => (
  <div className="buttons">
    <span className="small soft numeric" role="status">
      {count === 0 ? `“${words}” is not in the text` : `${counted(current + 1)} of ${counted(count)}`}
    </span>
    {count > 1 && (
      <>
        <Button small onClick={() => onChange((current + count - 1) % count)}>Previous</Button>
        <Button small onClick={() => onChange((current + 1) % count)}>Next</Button>
      </>
    )}
  </div>
)
