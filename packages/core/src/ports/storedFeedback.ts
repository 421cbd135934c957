/** Feedback to a question as backends store it. Free of Effect, because a backend may read it in another thread. */
import type { Feedback } from "../model/Question.ts"

/** From its JSON. */
export const storedFeedback = (json: string | null): Feedback | null => {
  if (json === null) return null
  const { given_at, ...feedback } = JSON.parse(json)
  return { ...feedback, given_at: new Date(given_at) }
}
