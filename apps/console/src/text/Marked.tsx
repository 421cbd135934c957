/** Text with some of its ranges highlighted. Nothing in it is interpreted as HTML. */
export const Marked = (
  { stretches, text }: {
    readonly text: string
    /** Ascending, without overlap, in UTF-16 code units. */
    readonly stretches: ReadonlyArray<readonly [number, number]>
  }
) => (
  <>
    {stretches.map(([start, end], index) => (
      <span key={start}>
        {text.slice(stretches[index - 1]?.[1] ?? 0, start)}
        <mark data-at={start}>{text.slice(start, end)}</mark>
      </span>
    ))}
    {text.slice(stretches.at(-1)?.[1] ?? 0)}
  </>
)
