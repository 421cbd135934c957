/** What of the questions is listed. */
import type { Question } from "../api/models.ts"
import { dayIn, type DayRange, isWithin } from "../charts/days.ts"
import { hasWords, type ListSearch } from "../lists/listSearch.ts"

export const CHOICES = {
  label: "Which",
  of: [
    ["", "All"],
    ["unanswered", "Not answered"],
    ["useful", "Rated useful"],
    ["useless", "Rated not useful"]
  ]
} as const

export const isInRange = (range: DayRange, { asked_at }: Question): boolean => isWithin(range, dayIn(asked_at))

const isChosen = ({ is }: ListSearch, { answered, feedback }: Question): boolean => {
  switch (is) {
    case "unanswered":
      return !answered
    case "useful":
      return feedback?.useful === true
    case "useless":
      return feedback?.useful === false
    default:
      return true
  }
}

export const isListed = (search: ListSearch, question: Question): boolean =>
  isChosen(search, question) && hasWords(search, question.query)
