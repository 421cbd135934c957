/** What the styles and lists of a Word document make of its paragraphs: headings and items. */
import type { Level } from "./headingNumbers.ts"
import { readXml } from "../xmlElements.ts"

/** The properties of a style, or those of a paragraph, which override the former. */
export interface Properties {
  name?: string
  /** The style of a paragraph, or the one that a style is based on. */
  style?: string
  outline?: number
  list?: string
  level?: number
  isHidden?: boolean
}

/** The value of a property that is on or off. */
export const isOn = (value: string | null): boolean => !/^(?:0|false|off)$/.test(value ?? "")

export const addProperty = (properties: Properties, element: string, value: string | null): void => {
  if (value === null) return
  if (element === "name") properties.name = value
  else if (element === "pStyle" || element === "basedOn") properties.style = value
  else if (element === "outlineLvl") properties.outline = Number(value)
  else if (element === "numId") properties.list = value
  else if (element === "ilvl") properties.level = Number(value)
}

export interface Item {
  readonly list: string
  /** The lists with the same one are numbered together. */
  readonly counter: string
  readonly level: number
  readonly levels: ReadonlyMap<number, Level>
  readonly start: number
  /** The number of the first item of this list on this level; null if the numbers continue. */
  readonly restart: number | null
  readonly isNumbered: boolean
}

/** Styles may be based on each other in a circle. */
const MAX_CHAIN = 20

/** Subtitles are based on titles, and are none. */
const NAMED = /^(?:(?:title|heading)(?: ([1-9]))?|subtitle)$/i

/** Of headings and lists; text has the level that follows. */
export const LEVELS = 9

/** The headings of HTML have fewer. */
const MAX_HEADINGS = 6

const stylesIn = (xml: string): ReadonlyMap<string, Properties> => {
  const styles = new Map<string, Properties>()
  let style: Properties = {}
  readXml(xml, {
    open(name, attribute) {
      if (name === "vanish") style.isHidden = isOn(attribute("val"))
      if (name !== "style") return addProperty(style, name, attribute("val"))
      style = {}
      // Of several with one id, the first counts.
      const id = attribute("styleId") ?? ""
      if (!styles.has(id)) styles.set(id, style)
    }
  })
  return styles
}

interface List {
  readonly id: string
  readonly counter: string
  readonly restarts: ReadonlyMap<number, number>
  readonly levels: Map<number, Level>
  /** The style that defines it instead. */
  style: string | null
}

const emptyList = (id: string): List => ({ id, counter: id, restarts: new Map(), levels: new Map(), style: null })

const NO_LIST = emptyList("")

const listsIn = (xml: string): ReadonlyMap<string, List> => {
  const definitions = new Map<string, List>()
  const lists = new Map<string, List>()
  let current = emptyList("")
  let level: Level = { format: "", start: 1, text: "" }
  let [number, overridden] = ["", 0]
  readXml(xml, {
    open(name, attribute) {
      if (name === "abstractNum") {
        const id = attribute("abstractNumId") ?? ""
        definitions.set(id, current = emptyList(id))
      } else if (name === "lvl") {
        current.levels.set(Number(attribute("ilvl") ?? 0), level = { format: "", start: 1, text: "" })
      } else if (name === "numFmt") level.format = attribute("val") ?? ""
      else if (name === "lvlText") level.text = attribute("val") ?? ""
      else if (name === "start") level.start = Number(attribute("val") ?? 1)
      else if (name === "numStyleLink") current.style = attribute("val")
      else if (name === "num") number = attribute("numId") ?? ""
      else if (name === "abstractNumId") {
        lists.set(number, definitions.get(attribute("val") ?? "") ?? emptyList(number))
        // Levels that follow are those of this list alone, which says little of them.
        current = emptyList("")
      } else if (name === "lvlOverride") overridden = Number(attribute("ilvl") ?? 0)
      else if (name === "startOverride") {
        const list = lists.get(number) ?? emptyList(number)
        const restarts = new Map(list.restarts).set(overridden, Number(attribute("val") ?? 1))
        lists.set(number, { ...list, id: `restarted ${number}`, restarts })
      }
    }
  })
  return lists
}

export class DocxStyles {
  readonly #styles: ReadonlyMap<string, Properties>
  readonly #lists: ReadonlyMap<string, List>

  constructor(styles: string, numbering: string) {
    this.#styles = stylesIn(styles)
    this.#lists = listsIn(numbering)
  }

  /** From 1 for the outermost; null if it is no heading. */
  headingLevel(paragraph: Properties): number | null {
    const { outline } = this.#find(paragraph, ({ outline }) => outline !== undefined) ?? {}
    if (outline !== undefined) return outline < LEVELS ? Math.min(MAX_HEADINGS, outline + 1) : null
    const { name = "subtitle" } = this.#find(paragraph, ({ name = "" }) => NAMED.test(name)) ?? {}
    return /^subtitle$/i.test(name) ? null : Math.min(MAX_HEADINGS, Number(NAMED.exec(name)![1] ?? 1))
  }

  /** Whether text of a style is hidden; null if that does not say. */
  isHidden(style: string | undefined): boolean | null {
    return this.#find(style === undefined ? {} : { style }, ({ isHidden }) => isHidden !== undefined)
      ?.isHidden ?? null
  }

  item(paragraph: Properties): Item | null {
    const { level: styleLevel, list = "" } = this.#find(paragraph, ({ list }) => list !== undefined) ?? {}
    const level = Math.min(LEVELS, paragraph.level ?? styleLevel ?? 0)
    const { counter, id, levels, restarts } = this.#listOf(list) ?? NO_LIST
    const { format = "none", start = 1 } = levels.get(level) ?? {}
    if (format === "none") return null
    return {
      list: id,
      counter,
      level,
      levels,
      start,
      restart: restarts.get(level) ?? null,
      isNumbered: format !== "bullet"
    }
  }

  #listOf(number: string): List | undefined {
    const list = this.#lists.get(number)
    const linked = this.#lists.get(this.#styles.get(list?.style ?? "")?.list ?? "")
    return linked ?? list
  }

  /** The paragraph or the first of its styles that has some property. */
  #find(paragraph: Properties, has: (properties: Properties) => boolean): Properties | undefined {
    let properties: Properties | undefined = paragraph
    for (let step = 0; step < MAX_CHAIN && properties !== undefined && !has(properties); step++) {
      properties = this.#styles.get(properties.style ?? "")
    }
    return properties !== undefined && has(properties) ? properties : undefined
  }
}
