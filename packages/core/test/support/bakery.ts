/** What the people of a bakery write to each other, and what they ask about it. */
import { message, type Written } from "./written.ts"

export const DOCUMENTS: ReadonlyArray<Written> = [
  message("oven-1", "2026-03-02T05:10:00Z", "#ovens", "Tom", "The small oven stopped at 4:50, the fuse has blown."),
  message("oven-2", "2026-03-02T06:30:00Z", "#ovens", "Ines", "Thanks. The electrician comes tomorrow at 8."),
  message("oven-3", "2026-03-03T09:15:00Z", "#ovens", "Ines", "He replaced the fuse. The small oven works again."),
  message("oven-4", "2026-03-05T05:20:00Z", "#ovens", "Tom", "The small oven tripped again this morning."),
  message("oven-5", "2026-03-06T05:05:00Z", "#ovens", "Tom", "And the small oven tripped once more, an hour ago."),
  message(
    "oven-6",
    "2026-03-09T10:00:00Z",
    "#ovens",
    "Ines",
    "I ordered a new control board for it. It costs 310 euros and arrives on Friday."
  ),
  message("shift-1", "2026-03-04T18:00:00Z", "#shifts", "Marek", "Can anyone take my shift on Saturday?"),
  message("shift-2", "2026-03-04T18:20:00Z", "#shifts", "Lena", "I can."),
  message(
    "shift-3",
    "2026-03-08T12:00:00Z",
    "#shifts",
    "Ines",
    "Early shift this coming week: Lena on Monday and Tuesday, Tom on Wednesday and Thursday, Marek on Friday."
  ),
  message("shift-4", "2026-03-09T20:00:00Z", "#shifts", "Tom", "I have a fever, I won't be in tomorrow."),
  message("shift-5", "2026-03-09T20:10:00Z", "#shifts", "Lena", "Get well soon! I'll cover for you."),
  message(
    "order-1",
    "2026-02-27T11:00:00Z",
    "#orders",
    "Lena",
    "Hotel Adler gets 120 rolls a day from 1 March."
  ),
  message("order-2", "2026-03-03T08:00:00Z", "#orders", "Lena", "The school cancelled its pretzels for this week."),
  message(
    "order-3",
    "2026-03-06T15:00:00Z",
    "#orders",
    "Ines",
    "Wedding cake for Familie Brandt: three tiers, lemon, they pick it up on 21 March at 10:00."
  ),
  message("order-4", "2026-03-07T11:00:00Z", "#orders", "Lena", "Hotel Adler gets 150 rolls a day from Monday."),
  message("order-5", "2026-03-09T12:00:00Z", "#orders", "Marek", "Café Nord ordered 12 rye loaves for tomorrow."),
  message("stock-1", "2026-03-03T07:00:00Z", "#stock", "Marek", "Flour came: 40 sacks of type 550."),
  message("stock-2", "2026-03-09T16:00:00Z", "#stock", "Lena", "We have only six sacks of rye flour left."),
  message("stock-3", "2026-03-09T16:05:00Z", "#stock", "Ines", "Ab April kommt die Hefe von der Mühle Sander."),
  message(
    "random-1",
    "2026-03-01T10:00:00Z",
    "#random",
    "Lena",
    "Marek's birthday is on 17 March, who bakes something?"
  ),
  message("random-2", "2026-03-01T10:30:00Z", "#random", "Tom", "Not me, I bake all day."),
  message(
    "hygiene-1",
    "2026-02-20T14:00:00Z",
    "#hygiene",
    "Ines",
    "The inspector was here yesterday. She had no complaints. The next inspection is in six months."
  ),
  message(
    "hygiene-2",
    "2026-02-24T14:00:00Z",
    "#hygiene",
    "Ines",
    "Nuts must never be stored above the dough table."
  )
]

export const ANSWERED: ReadonlyArray<readonly [question: string, says: RegExp, document: string]> = [
  ["How often did the small oven trip last week?", /^(?:2|two|twice)\b/i, "oven-5"],
  ["How many rolls does Hotel Adler get a day?", /^150 rolls.*120 rolls/s, "order-4"],
  ["Who takes Marek's shift on Saturday?", /Lena/, "shift-2"],
  ["When does the new control board arrive?", /13 March 2026/, "oven-6"],
  ["How much does the control board cost?", /310 euros/, "oven-6"],
  ["Who has the early shift on Wednesday?", /Tom/, "shift-3"],
  ["Is Tom in today?", /^No\. /, "shift-4"],
  ["When is the wedding cake picked up?", /21 March/, "order-3"],
  ["Which flavour is the cake for Familie Brandt?", /lemon/, "order-3"],
  ["Woher kommt die Hefe ab April?", /Mühle Sander/, "stock-3"],
  ["Did the inspector have complaints?", /^No\. /, "hygiene-1"],
  ["How many sacks of rye flour are left?", /six sacks/i, "stock-2"],
  ["When is Marek's birthday?", /17 March/, "random-1"]
]

export const UNANSWERED: ReadonlyArray<string> = [
  "How much does the wedding cake cost?",
  "When is Lena's birthday?",
  "Who repairs the coffee machine?",
  "How many croissants does Hotel Adler get a day?",
  "How often did the big oven trip last week?",
  "When does the new dough mixer arrive?",
  "Where does the rye flour come from?"
]
