/** What an operation is for, in words: a line for lists, and the rest for whoever opens it. */
import { Context } from "effect"

export const Description = Context.Reference<{ readonly summary: string; readonly text: string } | null>(
  "@tributary/http/Description",
  { defaultValue: () => null }
)

export const described = (summary: string, text: string) => Context.make(Description, { summary, text })
