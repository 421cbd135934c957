/** Sets of real documents with questions, and expressions that match correct answers. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { gunzipSync } from "node:zlib"

/** A document, in the form of its kind. */
export interface SetDocument {
  readonly id: string
  readonly how: "text" | "typed" | "upload"
  readonly title?: string
  readonly text?: string
  readonly content_type?: "text/plain" | "text/markdown" | "text/html"
  readonly timestamp?: string
  readonly payload?: Readonly<Record<string, unknown>>
  readonly file?: string
}

export interface SetQuestion {
  readonly id: string
  readonly q: string
  /** The documents that contain the answer. */
  readonly docs?: ReadonlyArray<string>
  /** Expressions, of which the correct answer matches one; absent for unanswerable questions. */
  readonly gold?: ReadonlyArray<string>
  /** Only a quote of these documents counts. */
  readonly strict?: boolean
  /** The title of a cited document may match, too. */
  readonly title?: boolean
  /** Only the date of the document distinguishes them. */
  readonly gold_ts?: boolean
}

export interface QuestionSet {
  readonly name: string
  readonly documents: ReadonlyArray<SetDocument>
  readonly questions: ReadonlyArray<SetQuestion>
}

/** The variable that names the folders of the sets. */
export const FOLDERS = "TRIBUTARY_BENCH_QUESTIONS"

const DOCUMENTS = ".jsonl.gz"

const linesOf = <A>(text: string): ReadonlyArray<A> =>
  text.split("\n").filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as A)

/** `NAME.jsonl.gz` holds documents, `NAME.jsonl` questions; folders are separated by colons. */
export const questionSetsIn = (folders: string): ReadonlyArray<QuestionSet> =>
  folders.split(":").flatMap((folder) =>
    readdirSync(folder).sort()
      .filter((file) => file.endsWith(DOCUMENTS))
      .map((file) => join(folder, basename(file, DOCUMENTS)))
      .filter((path) => existsSync(`${path}.jsonl`))
      .map((path) => ({
        name: basename(path),
        documents: linesOf<SetDocument>(gunzipSync(readFileSync(path + DOCUMENTS)).toString()),
        questions: linesOf<SetQuestion>(readFileSync(`${path}.jsonl`).toString())
      }))
  )
