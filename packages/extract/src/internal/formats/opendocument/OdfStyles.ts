/** What the styles of an OpenDocument file say: which lists are numbered, and which sheets and texts are hidden. */
import { readXml } from "../xmlElements.ts"

export class OdfStyles {
  /** Each level of a list with numbers. */
  readonly #numbered = new Set<string>()
  readonly #hidden = new Set<string>()
  readonly #titles = new Set<string>(["Title"])

  constructor(...documents: ReadonlyArray<string>) {
    let [list, style] = ["", ""]
    for (const xml of documents) {
      readXml(xml, {
        open: (name, attribute) => {
          if (name === "list-style") list = attribute("style:name") ?? ""
          else if (name === "list-level-style-number" && (attribute("num-format") ?? "") !== "") {
            this.#numbered.add(`${list} ${attribute("level")}`)
          } else if (name === "style") {
            style = attribute("style:name") ?? ""
            if (this.#titles.has(attribute("parent-style-name") ?? "")) this.#titles.add(style)
          } else if (name === "table-properties" && attribute("table:display") === "false") this.#hidden.add(style)
          else if (name === "text-properties" && attribute("text:display") === "none") this.#hidden.add(style)
        }
      })
    }
  }

  isHidden(style: string | null): boolean {
    return style !== null && this.#hidden.has(style)
  }

  /** The level counts from 1. */
  isNumbered(list: string, level: number): boolean {
    return this.#numbered.has(`${list} ${level}`)
  }

  /** Whether a paragraph is the title of the document. */
  isTitle(style: string | null): boolean {
    return style !== null && this.#titles.has(style)
  }
}
