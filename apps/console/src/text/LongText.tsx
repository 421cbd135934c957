import { useWindowVirtualizer } from "@tanstack/react-virtual"
import { useEffect, useLayoutEffect, useRef, useState } from "react"
import { counted } from "../ui/numbers.ts"
import { Marked } from "./Marked.tsx"
import type { Block } from "./blocks.ts"
import { Markdown, type Stretches } from "./Markdown.tsx"

interface Props {
  /** Joined they are the text. */
  readonly blocks: ReadonlyArray<Block>
  /** As Markdown. */
  readonly rendered: boolean
  /** Rendered with the line breaks of its paragraphs. */
  readonly lined?: boolean
  /** In a typeface whose characters are equally wide. */
  readonly code?: boolean
  /** Each block apart, with its number. */
  readonly numbered?: boolean
  readonly stretches: Stretches
  /** The one to scroll to, which looks different from others, or null. */
  readonly current: number | null
}

/** A text of any length, of which only the visible blocks are rendered. */
export const LongText = (
  { blocks, code = false, current, lined = false, numbered = false, rendered, stretches }: Props
) => {
  const frame = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop(frame.current?.offsetTop ?? 0), [])
  const virtual = useWindowVirtualizer({
    count: blocks.length,
    estimateSize: (index) => 40 + blocks[index]!.text.length / 3,
    overscan: 2,
    scrollMargin: top
  })

  /** Where the rendered text of a block would begin in the whole text. */
  const originOf = ({ opening, start }: Block): number => rendered ? start - opening.length : start
  const target = current === null ? undefined : stretches[current]
  const block = target === undefined ? -1 : blocks.findLastIndex(({ start }) => start <= target[0])
  useEffect(() => {
    if (target === undefined || block === -1) return undefined
    virtual.scrollToIndex(block, { align: "start" })
    const at = Math.max(0, target[0] - originOf(blocks[block]!))
    // When the block is rendered, scroll to the highlight in it.
    let tries = 0
    const timer = setInterval(() => {
      const found = frame.current?.querySelector(`[data-block="${block}"] mark[data-at="${at}"]`) ??
        frame.current?.querySelector(`[data-block="${block}"] mark`)
      found?.scrollIntoView({ block: "center" })
      if (found !== null || ++tries === 20) clearInterval(timer)
    }, 50)
    return () => clearInterval(timer)
  }, [block, target?.[0], rendered, blocks, top])

  const within = (block: Block, some: Stretches): Stretches => {
    const { start, text: { length } } = block
    const origin = originOf(block)
    return some.filter(([from, to]) => from < start + length && to > start)
      .map(([from, to]) => [Math.max(start, from) - origin, Math.min(start + length, to) - origin] as const)
  }
  const chosen = target === undefined || stretches.length === 1 ? [] : [target]

  return (
    <div ref={frame} className="long-text" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const block = blocks[index]!
        const { opening, text } = block
        const marks = { stretches: within(block, stretches), current: within(block, chosen)[0]?.[0] ?? null }
        return (
          <div
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            data-block={index}
            className={numbered ? "long-text-block numbered" : "long-text-block"}
            style={{ transform: `translateY(${start - top}px)` }}
          >
            {numbered && <span className="small soft numeric">{counted(index + 1)}</span>}
            {rendered
              ? <Markdown source={opening + text} {...marks} lined={lined} />
              : (
                <div className={code ? "document mono" : "document"} dir="auto">
                  <Marked text={text} {...marks} />
                </div>
              )}
          </div>
        )
      })}
    </div>
  )
}
