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

/** What axe finds in a part of the page as it is, except what it calls minor. Of what passes, it describes no elements. */
export const axeViolations = async (
  page: Page,
  options: object = {},
  part = page.locator(":root")
): Promise<ReadonlyArray<string>> => {
  if (await page.evaluate(() => !("axe" in globalThis))) await page.evaluate(axe)
  const violations = await part.evaluate(async (element, options) => {
    const { axe } = globalThis as unknown as {
      readonly axe: { run(part: Element, options: object): Promise<{ violations: ReadonlyArray<Violation> }> }
    }
    return (await axe.run(element, options)).violations
  }, { resultTypes: ["violations"], ...options })
  return violations.filter(({ impact }) => impact !== "minor")
    .map(({ id, nodes }) =>
      `${id}: ${nodes.map(({ failureSummary, html }) => `${html} ${failureSummary}`).join(" | ")}`
    )
}
