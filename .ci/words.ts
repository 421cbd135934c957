/** Words that readers have to read twice: comments and guides use the plain ones instead. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"

const PLAIN: ReadonlyArray<readonly [pattern: RegExp, plain: string]> = [
  [/\banew\b/i, "again"],
  [/\bwhoever\b/i, "the one who, or what they are"],
  [/\bunless told\b/i, "by default"],
  [/\blets? go of\b/i, "release"],
  [/\bis begun again\b/i, "restarts"],
  [/\bis none\b/i, "is absent, or null"],
  [/\bso many\b/i, "the number, or a limit"],
  [/\bstands?\b/i, "is, occurs, means"],
  [/\btold\b/i, "reported, notified, emitted"]
]

const files = (): ReadonlyArray<string> =>
  execFileSync("git", ["ls-files", "*.ts", "*.tsx", "*.md"], { encoding: "utf8" }).trim().split("\n")

const isComment = (line: string): boolean => /^\s*(\/\/|\/?\*)/.test(line)

const linesOf = (file: string): ReadonlyArray<string> => {
  const lines = readFileSync(file, "utf8").split("\n")
  let isCode = false
  return file.endsWith(".md")
    ? lines.map((line) => {
      if (line.startsWith("```")) isCode = !isCode
      return isCode ? "" : line
    })
    : lines.map((line) => isComment(line) ? line : "")
}

export const wordProblems = (): ReadonlyArray<string> =>
  files().filter((file) => file !== ".ci/words.ts").flatMap((file) =>
    linesOf(file).flatMap((line, index) =>
      PLAIN.filter(([pattern]) => pattern.test(line)).map(([pattern, plain]) =>
        `${file}:${index + 1}: ${pattern.source} is not plain: ${plain}`
      )
    )
  )
