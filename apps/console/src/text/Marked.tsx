/** Text with some of its ranges highlighted. Nothing in it is interpreted as HTML. */
export const Marked = (
  { current = null, stretches, text }: {
    readonly text: string
    /** Ascending, without overlap, in UTF-16 code units. */
    readonly stretches: ReadonlyArray<readonly [number, number]>
    /** The start of the one that differs from the others. */
    readonly current?: number | null
  }
) => (
  <>
    {stretches.map(([start, end], index) => (
      <span key={start}>
        {text.slice(stretches[index - 1]?.[1] ?? 0, start)}
        <mark data-at={start} aria-current={start === current || undefined}>{text.slice(start, end)}</mark>
      </span>
    ))}
    {text.slice(stretches.at(-1)?.[1] ?? 0)}
  </>
)
