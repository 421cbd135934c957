/** Pictures for the guides, made when `TRIBUTARY_SCREENSHOTS=1` asks for them. */
import { mkdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"

const folder = fileURLToPath(new URL("../../../../docs/console", import.meta.url))

/** Those that the guides show. */
const WANTED = new Set([
  "overview",
  "overview-dark",
  "answer",
  "answer-phone",
  "knowledge",
  "new-connection",
  "connector",
  "connect",
  "sources",
  "questions",
  "documents",
  "usage",
  "palette",
  "rotation",
  "keys-phone-dark"
])

export const takeScreenshot = async (page: Page, name: string): Promise<void> => {
  if (process.env["TRIBUTARY_SCREENSHOTS"] !== "1" || !WANTED.has(name)) return
  mkdirSync(folder, { recursive: true })
  // Nothing is pointed at.
  await page.mouse.move(0, 0)
  // Results of what was pressed before are shown above the page for a while.
  await page.locator(".toast").first().waitFor({ state: "detached" })
  await page.screenshot({ path: `${folder}/${name}.png`, animations: "disabled" })
}
