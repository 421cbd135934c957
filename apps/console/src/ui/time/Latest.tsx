import { Moment } from "./Moment.tsx"

interface Props {
  readonly at: Date | string | null | undefined
  readonly what: string
  readonly never: string
}

/** When something last happened, if ever. */
export const Latest = ({ at, never, what }: Props) => (
  <span>
    {at === undefined || at === null ? never : (
      <>
        {what} <Moment at={at} />
      </>
    )}
  </span>
)
