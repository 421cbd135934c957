/** The visible sheets of an Excel workbook, each row with the names of its columns, and their comments. */
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { boundedZip } from "../../boundedZip.ts"
import { Damaged } from "../../Damaged.ts"
import { extractedText } from "../../extractedText.ts"
import { readXml } from "../xmlElements.ts"
import { CellFormats } from "./CellFormats.ts"
import { commentsOf, peopleIn } from "./comments.ts"
import { officeProperties, type Parts, propertiesPart, relationsOf, xmlOf } from "./officeParts.ts"
import { SheetCells, sheetsText } from "./SheetCells.ts"

const WORKBOOK = "xl/workbook.xml"
const PEOPLE = "xl/persons/person.xml"
const PART =
  /^xl\/(?:workbook|styles|sharedStrings|comments\d*|(?:worksheets|comments|threadedComments|persons)\/[^/]+)\.xml$|^xl\/(?:worksheets\/)?_rels\/[^/]+\.rels$/

const partOf = (name: string): string | null => PART.test(name) ? name : propertiesPart(name)

/** Texts that cells refer to by number, without how they are pronounced. */
const sharedStrings = (xml: string): ReadonlyArray<string> => {
  const strings: Array<string> = []
  let text = ""
  let [isText, isPronunciation] = [false, false]
  readXml(xml, {
    open(name) {
      if (name === "si") text = ""
      else if (name === "rPh") isPronunciation = true
      else if (name === "t") isText = !isPronunciation
    },
    close(name) {
      if (name === "si") strings.push(text)
      else if (name === "rPh") isPronunciation = false
      else if (name === "t") isText = false
    },
    text(piece) {
      if (isText) text += piece
    }
  })
  return strings
}

/** `BC12`: the numbers of the column and of the row, from 0. */
const placeOf = (reference: string): readonly [column: number, row: number] | null => {
  const [, letters, digits] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(reference) ?? []
  if (letters === undefined) return null
  return [[...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0) - 1, Number(digits) - 1]
}

const sheetCells = (xml: string, strings: ReadonlyArray<string>, formats: CellFormats): SheetCells => {
  const cells = new SheetCells()
  let [row, column, type, style, value] = [-1, -1, "", 0, ""]
  let [isValue, isPronunciation] = [false, false]
  readXml(xml, {
    open(name, attribute) {
      if (name === "row") {
        row = Number(attribute("r") ?? row + 2) - 1
        column = -1
      } else if (name === "c") {
        ;[column, row] = placeOf(attribute("r") ?? "") ?? [column + 1, row]
        type = attribute("t") ?? ""
        style = Number(attribute("s") ?? 0)
        value = ""
      } else if (name === "rPh") isPronunciation = true
      else if (name === "v" || name === "t") isValue = !isPronunciation
      else if (name === "mergeCell") {
        const [first, last] = (attribute("ref") ?? "").split(":").map(placeOf)
        if (first && last) cells.merge(first, last)
      }
    },
    close(name) {
      if (name === "rPh") isPronunciation = false
      else if (name === "v" || name === "t") isValue = false
      else if (name === "c") {
        const shown = type === "s"
          ? strings[Number(value)] ?? ""
          : type === "b"
          ? value === "1" ? "TRUE" : "FALSE"
          : type === "" || type === "n"
          ? formats.shown(value, style)
          : value
        cells.set(column, row, shown)
      }
    },
    text(piece) {
      if (isValue) value += piece
    }
  })
  return cells
}

interface Workbook {
  readonly sheets: ReadonlyArray<{ readonly name: string; readonly relation: string }>
  readonly startsIn1904: boolean
}

const workbookOf = (parts: Parts): Workbook => {
  const sheets: Array<Workbook["sheets"][number]> = []
  let startsIn1904 = false
  readXml(xmlOf(parts, WORKBOOK), {
    open(name, attribute) {
      if (name === "workbookPr") startsIn1904 = /^(?:1|true)$/.test(attribute("date1904") ?? "")
      else if (name === "sheet" && !/hidden/i.test(attribute("state") ?? "")) {
        sheets.push({ name: attribute("name") ?? "", relation: attribute("id") ?? "" })
      }
    }
  })
  return { sheets, startsIn1904 }
}

export const xlsxText = async (bytes: Uint8Array): Promise<Extracted> => {
  const parts = await boundedZip(bytes, partOf)
  if (!parts.has(WORKBOOK)) throw new Damaged("The file is a ZIP archive, but no Excel workbook.")
  const { sheets, startsIn1904 } = workbookOf(parts)
  const relations = relationsOf(parts, WORKBOOK)
  const strings = sharedStrings(xmlOf(parts, "xl/sharedStrings.xml"))
  const formats = new CellFormats(xmlOf(parts, "xl/styles.xml"), startsIn1904)
  // Each once, however often the workbook names it.
  const named = new Map(sheets.map((sheet) => [sheet.relation, sheet]))
  const comments = commentsOf(parts, peopleIn(xmlOf(parts, PEOPLE)))
  const text = sheetsText([...named.values()].map(({ name, relation }) => {
    const part = relations.get(relation)?.target ?? ""
    const rows = sheetCells(xmlOf(parts, part), strings, formats).rows()
    return { name, rows, comments: comments(relationsOf(parts, part).values()) }
  }))
  return extractedText(text, officeProperties(parts))
}
