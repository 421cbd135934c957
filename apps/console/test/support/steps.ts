/** What a person does on a page, and waits to see there. */
import type { Page } from "playwright-core"
import { assert } from "vitest"
import { axeViolations } from "./axe.ts"

export const go = (page: Page, name: string) => page.getByRole("link", { name, exact: true }).first().click()
export const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).first().click()
/** Follows an address within the loaded console, which takes a fraction of loading it again. */
export const visit = (page: Page, url: string) => page.evaluate((url) => history.pushState({}, "", url), url)
/** In the dialog that is open, which must be accessible. Colours are checked after transitions end. */
export const pressInDialog = async (page: Page, name: string) => {
  const button = page.getByRole("dialog").getByRole("button", { name, exact: true })
  await button.waitFor()
  const withoutColours = { rules: { "color-contrast": { enabled: false } } }
  assert.deepStrictEqual(await axeViolations(page, withoutColours, page.getByRole("dialog").last()), [], name)
  await button.click()
}
export const fill = (page: Page, label: string, text: string) =>
  page.locator("input:not([type=radio]), textarea").and(page.getByLabel(label, { exact: true })).fill(text)
export const seen = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
export const gone = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor({ state: "detached" })
export const heading = (page: Page, name: string) =>
  page.getByRole("heading", { level: 1, name, exact: true }).waitFor()

export const workspaceOf = (page: Page): string => /\/w\/([^/]+)/.exec(page.url())![1]!

/** A page of somebody who has just signed in, and the address that their workspace's pages begin with. */
export const signIn = async (page: Page, link: string): Promise<string> => {
  await page.goto(link)
  await page.waitForURL(/\/w\//)
  return page.url().replace(/\/$/, "")
}
