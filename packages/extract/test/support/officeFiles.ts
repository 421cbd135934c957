/** Real office files, written by pandoc and LibreOffice on this machine. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { missing } from "../../../../.ci/missing.ts"

const MARKDOWN = `---
title: Handbook of the rescue service
author: Ada Example
date: 2025-03-04
---

# Lifeboats

Every lifeboat carries a radio. The naïve café — “quoted” — costs 12 €.

| Boat | Crew |
|------|------|
| Kite | four |
| Gull | six  |

- first item
- second item[^1]

[^1]: A footnote on crews.

Ünïcödé Ωmega
`

// The machine may have no font for it, and then a PDF holds boxes.
const ONLY_WORD = "\n日本語のテキスト。 👩‍🚀\n"

const TOOLS = ["pandoc", "soffice", "pdftotext", "qpdf"] as const

const isThere = (tool: string): boolean => {
  try {
    execFileSync("which", [tool], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

const find = (): boolean => {
  const absent = TOOLS.filter((tool) => !isThere(tool))
  for (const tool of absent) missing("TOOLS", tool)
  return absent.length === 0
}

/** False when the tests are to be skipped: the programs that make the files are not here. */
export const hasOfficeTools = find()

export const makeOfficeFiles = () => {
  const folder = mkdtempSync(join(tmpdir(), "tributary-office-"))
  const run = (command: string, ...args: ReadonlyArray<string>): string =>
    execFileSync(command, args, {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, SOURCE_DATE_EPOCH: "1741046400" }
    })
  try {
    writeFileSync(join(folder, "a.md"), MARKDOWN)
    writeFileSync(join(folder, "word.md"), MARKDOWN + ONLY_WORD)
    run("pandoc", "word.md", "-o", "word.docx")
    run("pandoc", "a.md", "-o", "a.docx")
    run("soffice", `-env:UserInstallation=file://${folder}/profile`, "--headless", "--convert-to", "pdf", "a.docx")
    run("qpdf", "--encrypt", "secret", "secret", "256", "--", "a.pdf", "encrypted.pdf")
    run("qpdf", "--encrypt", "", "owner", "256", "--", "a.pdf", "locked.pdf")
    const bytes = (name: string) => new Uint8Array(readFileSync(join(folder, name)))
    return {
      docx: bytes("word.docx"),
      docxPlain: run("pandoc", "word.docx", "-t", "plain", "--wrap=none"),
      pdf: bytes("a.pdf"),
      pdfPlain: run("pdftotext", "-raw", "a.pdf", "-"),
      encryptedPdf: bytes("encrypted.pdf"),
      lockedPdf: bytes("locked.pdf")
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
