/** What else a large workspace holds: texts that share words with the questions asked there, and answer none of them. */
import whyEffect from "../../../../docs/decisions/0001-why-effect-4.md?raw"
import vocabulary from "../../../../docs/decisions/0002-one-vocabulary.md?raw"
import routes from "../../../../docs/decisions/0003-routes-from-the-definition.md?raw"
import packages from "../../../../docs/decisions/0004-packages.md?raw"
import orderOfWords from "../../../../docs/decisions/0005-order-of-words.md?raw"
import embeddedDatabase from "../../../../docs/decisions/0006-embedded-database.md?raw"
import filesInProcess from "../../../../docs/decisions/0007-files-in-a-process.md?raw"
import connections from "../../../../docs/decisions/0008-connections-are-origins.md?raw"
import largerThanMemory from "../../../../docs/decisions/0009-larger-than-memory.md?raw"
import nodes from "../../../../docs/decisions/0010-each-node-indexes.md?raw"
import readAsNeeded from "../../../../docs/decisions/0011-read-as-needed.md?raw"
import { mail, page, type Written } from "./written.ts"

/** Decisions are history, so that these texts stay as they are. */
const DECISIONS = [
  whyEffect,
  vocabulary,
  routes,
  packages,
  orderOfWords,
  embeddedDatabase,
  filesInProcess,
  connections,
  largerThanMemory,
  nodes,
  readAsNeeded
]

/** Each decision as a whole, and each paragraph by itself. */
const decisions = DECISIONS.flatMap((text, number) => {
  const title = /^# (.*)$/m.exec(text)?.[1] ?? ""
  const paragraphs = text.split(/\n{2,}/u).filter((paragraph) => paragraph.length > 120)
  return [
    page(`decision-${number}`, "2025-10-01T08:00:00Z", title, text),
    ...paragraphs.map((paragraph, at) =>
      page(`decision-${number}-${at}`, "2025-10-01T08:00:00Z", `Note ${at} on decision ${number}`, paragraph)
    )
  ]
})

const PEOPLE = [
  "Bertram Quill",
  "Ottilie Marsh",
  "Casimir Dove",
  "Petronella Finch",
  "Leopold Gant",
  "Wilhelmina Stork",
  "Augustin Perch"
] as const

const THINGS = [
  "newsletter",
  "printer contract",
  "travel policy",
  "canteen menu",
  "parking plan",
  "song book",
  "garden calendar",
  "museum guide",
  "ski course",
  "wine list",
  "fire insurance",
  "water meter",
  "film archive"
] as const

const SAYINGS: ReadonlyArray<(who: string, thing: string, number: number) => string> = [
  (who, thing, number) =>
    `${who} wrote a new draft of the ${thing}. It has ${number} pages, and we meet about it on Friday.`,
  (who, thing, number) =>
    `The ${thing} was approved by ${who} last week. It costs ${number} euros a year and starts in May.`,
  (who, thing) => `Where is the ${thing}? ${who} had it last, in the room behind the stairs.`,
  (who, thing, number) => `I sent the ${thing} to ${who} on ${1 + number % 27} February 2026. There was no reply.`,
  (who, thing, number) => `${who} organizes the work on the ${thing}. So far ${number} people signed up, and two left.`,
  (who, thing) => `Nobody knows who made the ${thing}. ${who} thinks that it was written before the move to Linz.`,
  (who, thing, number) =>
    `The review of the ${thing} took ${number} minutes. ${who} was the chair, and the door stayed open.`
]

/** Of every person about every thing, each time in other words. */
const mails = PEOPLE.flatMap((who, person) =>
  THINGS.flatMap((thing, at) =>
    [0, 1].map((round) => {
      const number = 11 + (person * 31 + at * 17 + round * 7) % 80
      const other = PEOPLE[(person + at + 1 + round) % PEOPLE.length]!
      const say = SAYINGS[(person + at + 3 * round) % SAYINGS.length]!
      return mail(
        `x-${person}-${at}-${round}`,
        `2026-0${1 + at % 2}-${String(10 + (person + at) % 18)}T0${round + 7}:00:00Z`,
        who,
        `${other.split(" ")[0]!.toLowerCase()}@elsewhere.example`,
        `${round === 0 ? "About the" : "Re: About the"} ${thing}`,
        `Hello,\n\n${say(other, thing, number)}\n\n${who.split(" ")[0]}`
      )
    })
  )
)

/** Files that name their authors. */
const files = THINGS.map((thing, at) =>
  page(
    `x-${thing}.docx`,
    "2025-09-01T08:00:00Z",
    `${thing.charAt(0).toUpperCase()}${thing.slice(1)}`,
    `Author: ${PEOPLE[at % PEOPLE.length]}\nDate: ${
      1 + at
    } September 2025\n\nEverything about it is told at the desk. Questions are answered in writing.`
  )
)

export const DISTRACTIONS: ReadonlyArray<Written> = [...decisions, ...mails, ...files]
