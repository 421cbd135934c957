/** Lines and tables on standard output. */
import { readFileSync } from "node:fs"

export const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** The load of the machine. Other work makes all figures worse, and ratios noisier. */
export const printLoad = (): void => {
  try {
    print(`load: ${readFileSync("/proc/loadavg", "utf8").trim()}`)
  } catch {
    print("load: unknown")
  }
}

/** A Markdown table, which can be copied into docs. */
export const printTable = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): void => {
  const line = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |`
  print([line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n"))
}
