/** Accessibility, checked by axe. */
import { createRequire } from "node:module"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: ReadonlyArray<{ readonly html: string; readonly failureSummary: string }>
}

/** What axe finds on the page as it is, except what it calls minor. */
export const axeViolations = async (
  page: Page,
  options: object = {}
): Promise<ReadonlyArray<string>> => {
  if (await page.evaluate(() => !("axe" in globalThis))) await page.evaluate(axe)
  const violations = await page.evaluate(async (options) => {
    const { axe } = globalThis as unknown as {
      readonly axe: { run(options: object): Promise<{ violations: ReadonlyArray<Violation> }> }
    }
    return (await axe.run(options)).violations
  }, options)
  return violations.filter(({ impact }) => impact !== "minor")
    .map(({ id, nodes }) =>
      `${id}: ${nodes.map(({ failureSummary, html }) => `${html} ${failureSummary}`).join(" | ")}`
    )
}
