/** The text of a PDF by page; title, author and date from its metadata. */
import { fileURLToPath } from "node:url"
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { getDocument, PDFDateString } from "pdfjs-dist/legacy/build/pdf.mjs"
import { Damaged } from "../Damaged.ts"
import { extractedText } from "../extractedText.ts"
import { MAX_CHARACTERS, tooMuchText } from "../limits.ts"

type Pdf = Awaited<ReturnType<typeof getDocument>["promise"]>

/** Character maps for Chinese, Japanese and Korean fonts that a file does not embed. */
const CHARACTER_MAPS = fileURLToPath(new URL("cmaps/", import.meta.resolve("pdfjs-dist/package.json")))

interface Field {
  readonly type: string
  readonly value: unknown
  readonly hidden?: boolean
  readonly password?: boolean
}

/** The metadata that the library returns, each a text. */
type Information = Partial<Record<"Title" | "Author" | "ModDate" | "CreationDate", string>>

const dateIn = (text = ""): Date | null => PDFDateString.toDateObject(text)

/** Form fields that contain text. */
const TYPED: ReadonlySet<string> = new Set(["text", "combobox", "listbox"])

const isShown = (field: object): field is Field => {
  const { hidden, password, type } = field as Field
  return TYPED.has(type) && hidden !== true && password !== true
}

const isEncrypted = (error: unknown): boolean => error instanceof Error && error.name === "PasswordException"

interface Run {
  readonly str: string
  readonly dir: string
  /** The direction of its line, and where it starts. */
  readonly transform: ReadonlyArray<number>
  readonly width: number
  readonly height: number
  readonly hasEOL: boolean
}

/** The width of a narrow space, as a share of the height of a line. */
const SPACE = 0.2

/** The library reports no space or line break where runs are placed one by one, as in scans that were recognized. */
const separatorOf = (before: Run, run: Run): string => {
  if (before.dir === "ttb") return ""
  const [a = 1, b = 0, , , x = 0, y = 0] = before.transform
  const scale = Math.hypot(a, b) || 1
  const [right, up] = [run.transform[4]! - x, run.transform[5]! - y]
  const height = Math.max(before.height, run.height)
  if (Math.abs(up * a - right * b) / scale > height / 2) return "\n"
  const ahead = (right * a + up * b) / scale
  const gap = Math.max(ahead - before.width, -ahead - run.width)
  return gap > height * (run.dir === "rtl" ? SPACE : 1) ? " " : ""
}

const isBlank = ({ str }: Run): boolean => str.trim() === ""

/** Neighbours of one direction; spaces between those of two are apart. */
const groupsIn = (line: ReadonlyArray<Run>): ReadonlyArray<ReadonlyArray<Run>> => {
  const groups: Array<Array<Run>> = []
  let blanks: Array<Run> = []
  for (const run of line) {
    const group = groups.at(-1)
    if (isBlank(run)) blanks.push(run)
    else if (group?.[0]!.dir === run.dir) group.push(...blanks, run)
    else groups.push(blanks, [run])
    if (!isBlank(run)) blanks = []
  }
  return [...groups, blanks]
}

/** Some programs draw Arabic and Hebrew from the left to the right. */
const inReadingOrder = (line: ReadonlyArray<Run>): ReadonlyArray<Run> => {
  const shown = line.filter((run) => !isBlank(run))
  const fromRight = shown.filter(({ dir }) => dir === "rtl").length
  const isDrawnLeftToRight = shown.every((run, at) => at === 0 || run.transform[4]! > shown[at - 1]!.transform[4]!)
  if (fromRight === 0 || !isDrawnLeftToRight) return line
  const groups = groupsIn(line).map((group) => group[0]?.dir === "rtl" ? group.toReversed() : group)
  return (2 * fromRight > shown.length ? groups.toReversed() : groups).flat()
}

const lineText = (line: ReadonlyArray<Run>): string => {
  const parts: Array<string> = []
  /** The last run, unless what follows it is apart already. */
  let before: Run | null = null
  for (const run of inReadingOrder(line)) {
    if (before !== null && !isBlank(run)) parts.push(separatorOf(before, run))
    parts.push(run.str)
    if (/\s$/.test(run.str)) before = null
    else if (!isBlank(run)) before = run
  }
  return parts.join("")
}

const textOf = (runs: ReadonlyArray<Run>): string => {
  const lines: Array<string> = []
  let start = 0
  runs.forEach(({ hasEOL }, at) => {
    if (!hasEOL && at + 1 < runs.length) return
    lines.push(lineText(runs.slice(start, at + 1)))
    start = at + 1
  })
  return lines.join("\n").trim()
}

const pageText = async (pdf: Pdf, number: number): Promise<string> => {
  const page = await pdf.getPage(number)
  const { items } = await page.getTextContent()
  page.cleanup()
  return textOf(items.filter((item): item is Extract<typeof item, Run> => "str" in item))
}

/** Values of form fields, which are not part of a page's text. */
const filledIn = async (pdf: Pdf): Promise<string> => {
  const fields = await pdf.getFieldObjects() ?? new Map<string, Array<object>>()
  return [...fields].flatMap(([name, all]) => {
    const label = name.split(".").at(-1)!.replace(/\[\d+\]$/, "")
    const values = all.filter(isShown).flatMap(({ value }) => [value].flat())
      .filter((value) => typeof value === "string" && value.trim() !== "")
    return values.length === 0 ? [] : [`${label}: ${[...new Set(values)].join(", ")}`]
  }).join("\n")
}

/** Longer words are not divided, and long lines are read once. */
const LONGEST_WORD = 64

/** The words before and after a hyphen. */
const wordsAround = (text: string, at: number, length: number): string => {
  const after = at + length
  const first = /\p{L}+$/u.exec(text.slice(Math.max(0, at - LONGEST_WORD), at))?.[0] ?? ""
  const second = /^\p{L}+/u.exec(text.slice(after, after + LONGEST_WORD))?.[0] ?? ""
  return `${first}-${second}`.toLowerCase()
}

/** A hyphen at the end of a line divides a word, unless the words have one within a line, too. */
const undivided = (text: string): string => {
  const compounds = new Set(
    [...text.matchAll(/(?<=\p{L})-(?=\p{L})/gu)].map(({ index }) => wordsAround(text, index, 1))
  )
  return text.replaceAll(
    /(?<=\p{L})[-\u00ad\u2010]\n(?=\p{Ll})/gu,
    (hyphen, at: number) => compounds.has(wordsAround(text, at, hyphen.length)) ? "-" : ""
  )
}

const contentOf = async (pdf: Pdf): Promise<Extracted> => {
  const pages: Array<string> = []
  let characters = 0
  for (let number = 1; number <= pdf.numPages; number++) {
    const text = await pageText(pdf, number)
    characters += text.length
    if (characters > MAX_CHARACTERS) throw tooMuchText()
    if (text !== "") pages.push(text)
  }
  const form = await filledIn(pdf)
  if (form !== "") pages.push(form)
  // Without text it would never be found, and nobody would know why.
  if (pages.length === 0) {
    throw new Damaged("The file holds no text that can be read. It may be a scan, whose pages are pictures.")
  }
  const { Author, CreationDate, ModDate, Title } = (await pdf.getMetadata()).info as Information
  return extractedText(undivided(pages.join("\n\n")), {
    title: Title,
    authors: [Author],
    date: dateIn(ModDate) ?? dateIn(CreationDate)
  })
}

export const pdfText = async (bytes: Uint8Array): Promise<Extracted> => {
  const task = getDocument({
    // The library takes over the memory of its input, and accepts no Buffer.
    data: new Uint8Array(bytes),
    cMapUrl: CHARACTER_MAPS,
    useSystemFonts: true,
    verbosity: 0
  })
  try {
    return await contentOf(await task.promise)
  } catch (error) {
    throw isEncrypted(error) ? new Damaged("The file is encrypted. Send it without a password.") : error
  } finally {
    // Fonts and character maps stay in memory otherwise.
    await task.destroy()
  }
}
