/** Words that comments, guides, titles of tests and names in code must not use, because they slow readers down. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"

type Words = ReadonlyArray<readonly [pattern: RegExp, plain: string]>

const PROSE: Words = [
  [/^(?:<{7}|>{7}) /, "what is right of both sides of a merge"],
  [/\banew\b/i, "again"],
  [/\bwhoever\b/i, "the caller, the user, the owner"],
  [/\bunless told\b/i, "by default"],
  [/\blets? go of\b/i, "release"],
  [/\bis begun again\b/i, "restarts"],
  [/\bis none\b/i, "is absent, or null"],
  [/\bso many\b/i, "the number, or a limit"],
  [/\bstands?\b/i, "is, occurs, means"],
  [/\b(?:told|tells?)\b/i, "report, emit, distinguish, show"],
  [/\bjudged?\b/i, "check, validate, score"],
  [/\bfor ever\b/i, "forever, permanently, never again"],
  [/\bthe one who\b/i, "the caller, the user, the owner"],
  [/\bwhat nobody\b/i, "name the thing"],
  [/\bamid\b/i, "during"],
  [/\bin the place of\b/i, "instead of"],
  [/\bhangs? up\b/i, "disconnects"],
  [/\bat hand\b/i, "available, present"],
  [/\bonce more\b/i, "again"],
  [/\b(is|are) asked for\b/i, "is requested"],
  [/\bgoes on\b/i, "continues"],
  [/\bincreasing pauses\b/i, "increasing delays, backoff"]
]

const NAMES: Words = [
  [/\b(?:told|toldOf|untold|tells?|telling)\b/, "what it is: message, results, redacted, report"],
  [/\b(?:judged?|judges|judging)\b/i, "check, validate, score"],
  [/\b(?:standing|stands)\b/i, "state, rights, occurs"],
  [/\b(?:meant|byMeaning|byWords)\b/, "expected, semantic, lexical"],
  [/\b(?:rarit(?:y|ies)|rarityOf)\b/, "idf"],
  [/\b(?:closeness|mostCloseness|neighbours|neighboursIn)\b/, "proximity, adjacent"],
  [/\b(?:weighed|rankWeighed)\b/, "rescored, rescore"],
  [/\b(?:letGo|anew)\b/, "evict, fromStart"],
  [/\b(?:distrust|doubted)\b/, "reloadCorrupt, suspect"],
  [/\b(?:hiddenText|textAbove|leafText|evidenceText|takeSteps|withRest)\b/, "say what is computed"]
]

const files = (): ReadonlyArray<string> =>
  execFileSync("git", ["ls-files", "*.ts", "*.tsx", "*.md"], { encoding: "utf8" }).trim().split("\n")

const isComment = (line: string): boolean => /^\s*(\/\/|\/?\*)/.test(line)

const TEST_NAME = /^\s*(?:describe|it|test|faultIt)\w*(?:\.\w+)*\(.*?["`](.*)["`]/
/** A title on a separate line. */
const TITLE_ALONE = /^\s*(?:rule: )?["`]([^"`]*)["`],?$/

const HAS_TESTS = /(?:\.test|Contract|Suite)\.ts$/

const QUOTED = /"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g

const problemsIn = (line: string, words: Words): ReadonlyArray<string> =>
  words.filter(([pattern]) => pattern.test(line)).map(([pattern, plain]) => `${pattern.source} is not plain: ${plain}`)

const problemsInGuide = (lines: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  let isCode = false
  return lines.map((line) => {
    if (line.startsWith("```")) isCode = !isCode
    return isCode ? [] : problemsIn(line, PROSE)
  })
}

const problemsInCode = (lines: ReadonlyArray<string>, hasTests: boolean): ReadonlyArray<ReadonlyArray<string>> => {
  let isTemplate = false
  return lines.map((line) => {
    if (isComment(line)) return problemsIn(line, PROSE)
    const code = line.replaceAll(QUOTED, "")
    const isPart = isTemplate
    if (code.split("`").length % 2 === 0) isTemplate = !isTemplate
    const [, title = ""] = hasTests ? TEST_NAME.exec(line) ?? TITLE_ALONE.exec(line) ?? [] : []
    const inTitle = problemsIn(title, PROSE)
    return isPart || isTemplate ? inTitle : [...inTitle, ...problemsIn(code, NAMES)]
  })
}

const problemsOf = (file: string): ReadonlyArray<ReadonlyArray<string>> => {
  const lines = readFileSync(file, "utf8").split("\n")
  return file.endsWith(".md") ? problemsInGuide(lines) : problemsInCode(lines, HAS_TESTS.test(file))
}

export const wordProblems = (): ReadonlyArray<string> =>
  files().filter((file) => file !== ".ci/words.ts").flatMap((file) =>
    problemsOf(file).flatMap((problems, index) => problems.map((problem) => `${file}:${index + 1}: ${problem}`))
  )
