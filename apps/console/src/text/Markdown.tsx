/**
 * Renders Markdown as React elements, never as HTML: tags in the text are shown as text, and the rest is sanitized as
 * well. Only http and https links are links. Images become links, because the page loads nothing from other sites.
 */
import type { Element, ElementContent, Root, Text } from "hast"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"
import {
  type AnchorHTMLAttributes,
  type ImgHTMLAttributes,
  type InputHTMLAttributes,
  memo,
  type PropsWithChildren
} from "react"
import ReactMarkdown, { type Components } from "react-markdown"
import rehypeSanitize from "rehype-sanitize"
import { isWeb } from "./isWeb.ts"

/** Ascending, without overlap, in UTF-16 code units of the source. */
export type Stretches = ReadonlyArray<readonly [start: number, end: number]>

const Anchor = ({ children, href }: AnchorHTMLAttributes<HTMLAnchorElement>) =>
  isWeb(href) ? <a href={href} rel="noreferrer noopener" target="_blank">{children}</a> : <span>{children}</span>

const Picture = ({ alt, src }: ImgHTMLAttributes<HTMLImageElement>) => (
  <Anchor href={typeof src === "string" ? src : undefined}>{alt === undefined || alt === "" ? "picture" : alt}</Anchor>
)

/** In a list of tasks, beside the text of the task. */
const Task = ({ checked = false }: InputHTMLAttributes<HTMLInputElement>) => (
  <input type="checkbox" checked={checked} disabled aria-label={checked ? "Done" : "Not done"} />
)

/** Wide ones are scrolled, also by keyboard. */
const Code = ({ children }: PropsWithChildren) => <pre tabIndex={0}>{children}</pre>
const Table = ({ children }: PropsWithChildren) => <table tabIndex={0}>{children}</table>

/** Position of a text in the source; a text that the source writes differently has no position. */
const startOf = (text: Text, parent: Element | Root, source: string): number | null => {
  // Between blocks, rows and items are line breaks that the source does not have.
  const own = text.position ?? (text.value.trim() === "" ? undefined : parent.position)
  const [start, end] = [own?.start.offset, own?.end.offset]
  if (start === undefined || end === undefined) return null
  const at = source.indexOf(text.value, start)
  return at === -1 || at + text.value.length > end ? null : at
}

/** What is highlighted in a source; `current` is the start of the stretch that differs from the others. */
interface Marks {
  readonly stretches: Stretches
  readonly current: number | null
}

const marked = (text: Text, start: number, { current, stretches }: Marks): ReadonlyArray<ElementContent> => {
  const parts: Array<ElementContent> = []
  let at = 0
  const push = (until: number, stretch: number | null): void => {
    if (until <= at) return
    const part: Text = { type: "text", value: text.value.slice(at, until) }
    const properties = { dataAt: stretch, ariaCurrent: stretch === current ? "true" : undefined }
    parts.push(stretch === null ? part : { type: "element", tagName: "mark", properties, children: [part] })
    at = until
  }
  for (const [from, to] of stretches) {
    if (to <= start || from >= start + text.value.length) continue
    push(from - start, null)
    push(Math.min(text.value.length, to - start), from)
  }
  push(text.value.length, null)
  return parts
}

const mark = (node: Element | Root, source: string, marks: Marks): void => {
  node.children = (node.children as Element["children"]).flatMap((child): ReadonlyArray<ElementContent> => {
    if (child.type === "element") mark(child, source, marks)
    if (child.type !== "text") return [child]
    const start = startOf(child, node, source)
    return start === null ? [child] : marked(child, start, marks)
  })
}

/** A tag in the text stays text: the reader sees what was written. */
const tagsAsText = () => (tree: Root): void => {
  const replace = (node: Root | Element): void => {
    node.children = node.children.map((child) => {
      if (child.type === "element") replace(child)
      return child.type === "raw"
        ? { type: "text", value: child.value, ...(child.position === undefined ? {} : { position: child.position }) }
        : child
    }) as typeof node.children
  }
  replace(tree)
}

const marking = (source: string, marks: Marks) => () => (tree: Root): void => mark(tree, source, marks)

interface Processor {
  data(name: string, value: ReadonlyArray<object>): Processor
}

/** Tables, task lists and the like: `remark-gfm` without its serializer of 6 kB, which nothing here uses. */
function gitHubFlavored(this: Processor): void {
  this.data("micromarkExtensions", [gfm()]).data("fromMarkdownExtensions", [gfmFromMarkdown()])
}

/** Headings of a text are of a lower level than those of the page. */
const HEADINGS = { h1: "h3", h2: "h4", h3: "h5", h4: "h6", h5: "h6", h6: "h6" } as const

const COMPONENTS: Components = { ...HEADINGS, a: Anchor, img: Picture, input: Task, pre: Code, table: Table }

interface Props extends Partial<Marks> {
  readonly source: string
  /** The lines of a paragraph are not joined. */
  readonly lined?: boolean
}

export const Markdown = memo(({ current = null, lined = false, source, stretches = [] }: Props) => (
  <div className={lined ? "markdown lined" : "markdown"} dir="auto">
    <ReactMarkdown
      remarkPlugins={[gitHubFlavored]}
      rehypePlugins={[
        tagsAsText,
        rehypeSanitize,
        marking(source, { current, stretches })
      ]}
      components={COMPONENTS}
    >
      {source}
    </ReactMarkdown>
  </div>
))
