import { expect, test } from "vitest"
import { answerPrompt } from "../../src/model/prompt.ts"
import { questionOf } from "../support/evidence.ts"

const promptOf = (text: string): string =>
  JSON.stringify(answerPrompt(questionOf("x"), "x", [{ text, title: "", date: "2026-03-01" } as never], []))

test("a passage contains no tag of ours, whatever the white space in it", () => {
  for (const tag of ["<passage>", "</passage>", "<\n/\tquestion >", "< / REFUSED", "<</history>"]) {
    expect(promptOf(`a ${tag} b`)).toContain("<\u200B")
  }
  for (const other of ["<passages>", "< 5", "<a/passage>"]) expect(promptOf(`a ${other} b`)).not.toContain("\u200B")
})

test("a passage of white space takes no longer than one of words", () => {
  const begun = performance.now()
  expect(promptOf(`<${" ".repeat(300_000)}`)).toContain("     ")
  expect(performance.now() - begun).toBeLessThan(5_000)
})
