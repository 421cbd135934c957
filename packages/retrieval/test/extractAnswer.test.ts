import { assert, describe, it } from "@effect/vitest"
import { isBorder } from "../src/text/characters.ts"
import { extractAnswer as extract, type Passage as Dated } from "../src/extractive/extractAnswer.ts"
import { parseQuery } from "../src/search/Query.ts"
import { rerank } from "../src/search/rescore.ts"
import { scoringOf } from "../src/search/scoring.ts"
import { Text } from "./support/texts.ts"
import { document, search, segmentOf } from "./support/segments.ts"

const NOW = new Date("2026-03-10T09:00:00Z")

type Passage = Omit<Dated, "timestamp"> & Partial<Dated>

/** As if every word of the question stood somewhere, and told as much as any other. */
const extractAnswer = (query: string, passages: ReadonlyArray<Passage>, known?: ReadonlyMap<string, number>) =>
  extract(
    { query, now: NOW, timezone: "UTC", idf: known ?? new Map() },
    passages.map((passage) => ({ timestamp: NOW, ...passage }))
  ).sentences

const PASSAGES: ReadonlyArray<Passage> = [
  {
    title: "Budget review",
    text: "We met on Monday. The marketing budget for Berlin is 40,000 euros. Grace asked for more time."
  },
  {
    title: "Launch plan",
    text:
      "The launch of the mobile app moved to 12 March. Ada leads the launch team. Press releases go out a week before."
  },
  {
    title: "Office",
    text: "The Berlin office has three floors. The kitchen is on the second floor. Bikes go to the basement."
  },
  {
    title: "Incident 4711",
    text:
      "The payment service failed at 10:30. The cause was an expired certificate. Linus renewed the certificate by noon."
  },
  {
    title: "Travel policy",
    text: "Flights need the approval of a manager. Trains do not. Hotels may cost up to 150 euros a night."
  },
  {
    title: "Hiring",
    text:
      "Two engineers join the platform team in April. The designer position is still open. Interviews are on Thursdays."
  },
  {
    title: "Contract with Acme",
    text: "The contract with Acme ends on 30 June. Either side may cancel it with three months' notice."
  },
  {
    title: "Re: vacation",
    text: "I am on vacation until Friday. Please ask Margaret about the invoices. My phone will be off."
  },
  {
    title: "Security",
    text:
      "Passwords must have twelve characters. Laptops lock after five minutes. Report a lost badge to the front desk."
  },
  {
    title: "Retro",
    text: "The team liked the new review process. Builds were too slow. We will cache dependencies in the pipeline."
  },
  {
    title: "Meeting notes",
    text: "The meeting about the app was short. The team will meet again. Everybody has a plan for the week."
  }
]

const segment = segmentOf(PASSAGES.map(({ text, title }, at) => document(at, [text], { title })))

const answer = (question: string): ReadonlyArray<string> => {
  const hits = search([segment], question, { groupBy: "chunk", limit: 20 })
  const read = rerank([segment], parseQuery(question), hits, ({ chunk }) => [
    PASSAGES[chunk]!.title,
    PASSAGES[chunk]!.text
  ]).map(({ chunk }) => PASSAGES[chunk]!)
  return extractAnswer(question, read, scoringOf([segment], parseQuery(question)).idf).map((
    { end, passage, start }
  ) => read[passage]!.text.slice(start, end))
}

const ANSWERED: ReadonlyArray<readonly [question: string, words: RegExp]> = [
  ["How high is the marketing budget for Berlin?", /40,000 euros/],
  ["When is the launch of the mobile app?", /12 March/],
  ["Who leads the launch team?", /Ada/],
  ["Where is the kitchen?", /second floor/],
  ["What was the cause of the payment incident?", /expired certificate|payment service failed/],
  ["Who renewed the certificate?", /Linus/],
  ["Do flights need approval?", /approval of a manager/],
  ["How much may hotels cost?", /150 euros/],
  ["When does the contract with Acme end?", /30 June/],
  ["Whom should I ask about invoices?", /Margaret/],
  ["How many characters must passwords have?", /twelve/],
  ["When do laptops lock?", /five minutes/],
  ["Is the designer position open?", /still open/]
]

const UNANSWERED = [
  "How high is the marketing budget for Tokyo?",
  "When is the launch of the desktop app?",
  "Who leads the Zurich team?",
  "When does the contract with Initech end?",
  "What did Barbara say about the launch?",
  "Where is the swimming pool?",
  "How do I reset the router?",
  "What is the capital of Mongolia?",
  "Who won the chess tournament?",
  "How many floors has the Madrid office?",
  "What was the cause of incident 9999?",
  "Which team has a budget for astronomy?",
  "When will the team meet Napoleon?",
  "what is the"
]

describe("an answer", () => {
  it("begins with the sentence that says it", () => {
    for (const [question, words] of ANSWERED) assert.match(answer(question)[0] ?? "none", words, question)
  })

  it("is none when what the question is about stands nowhere, though its common words do", () => {
    for (const question of UNANSWERED) assert.deepStrictEqual(answer(question), [], question)
  })

  it("is none when the only passage is about something else of that kind", () => {
    const passages = [PASSAGES[1]!]
    assert.isAbove(extractAnswer("Who leads the launch team?", passages).length, 0)
    for (const question of ["Who leads the Zurich launch team?", "Who leads the launch team in 2031?"]) {
      assert.deepStrictEqual(extractAnswer(question, passages), [], question)
    }
  })

  it("to when something happens need be no date, but tells when", () => {
    for (
      const [question, text] of [
        ["When do deploys run?", "Deploys run on weekdays."],
        ["When is the garden watered?", "The garden is watered in the early morning."],
        ["When is the report sent?", "The report is sent every month."],
        ["When are backups made?", "Backups are made hourly."],
        ["When was the firm founded?", "The firm was founded by Ada, 1998, with her savings."]
      ] as const
    ) {
      assert.lengthOf(extractAnswer(question, [{ title: "", text }]), 1, question)
    }
    assert.deepStrictEqual(extractAnswer("When do deploys run?", [{ title: "", text: "Deploys run on servers." }]), [])
  })

  it("may hold another form of the question's words, or one that says the same", () => {
    for (
      const [question, text] of [
        ["What did the inspection find?", "The inspection found two leaks."],
        ["When does the unit's maintenance take place?", "The unit is maintained on 3 May."],
        ["Who bought the bicycle?", "Ada purchased the bike."],
        ["How much did the chairs cost?", "The chairs come to 900 euros."],
        ["When is Dr. Haas away?", "Dr. Haas is away from 3 May."]
      ] as const
    ) assert.lengthOf(extractAnswer(question, [{ title: "", text }]), 1, question)
  })

  it("is none when a sentence tells of another doing, its contrary, no reason, or of another day", () => {
    for (
      const [question, text] of [
        ["Who signed the contract with Acme?", "Ada read the contract with Acme."],
        ["When does Priya leave the platform team?", "Priya joins the platform team on 1 April."],
        ["Why did Omar move to research?", "Omar moves to research today."],
        ["When is Dr. Haas away?", "Dr. Haas has the treatment room on 3 May."],
        ["How much is the rent of the office in 2031?", "From 1 May 2026 the rent of the office is 900 euros."],
        ["When does the office open on Sunday?", "The office opens at 8:00."],
        ["Who has the keys to the office on Friday?", "On Monday Ada has the keys to the office."]
      ] as const
    ) assert.deepStrictEqual(extractAnswer(question, [{ title: "", text }]), [], question)
  })

  it("is the line at the head of a text that tells what was asked for of what the document is called", () => {
    const text =
      "Author: Ada Example\nFrom: Grace\nTo: Linus\nDate: 3 May 2026\nLocation: Room 4\nApproved by: Jonas\n\n" +
      "Figures for spring\n\nRent is 900 euros."
    for (
      const [question, ...lines] of [
        ["Who wrote the budget?", "Author: Ada Example"],
        ["Who is the author of the budget?", "Author: Ada Example"],
        ["Who sent the budget?", "From: Grace"],
        ["Who wrote about the budget?", "Author: Ada Example", "From: Grace"],
        ["To whom was the budget sent?", "To: Linus"],
        ["When does the budget take place?", "Date: 3 May 2026"],
        ["Where is the budget?", "Location: Room 4"],
        ["Who approved the budget?", "Approved by: Jonas"],
        // By the name of its file, and by its heading.
        ["Who made the forecast?", "Author: Ada Example"],
        ["Who made the figures for spring?", "Author: Ada Example"],
        ["Who read the budget?"],
        ["Who wrote the budget for Berlin?"],
        ["When was the budget written?"],
        ["When was the budget approved?"],
        ["Who organizes the budget?"]
      ]
    ) {
      const found = extractAnswer(question!, [{ title: "Budget", file: "forecast", text }])
      assert.deepStrictEqual(found.map(({ end, start }) => text.slice(start, end)), lines, question)
    }
  })

  it("is no line that tells something else, be it the only one with a name", () => {
    const line = (question: string) =>
      extractAnswer(question, [{ title: "Budget", text: "From: Grace\n\nIt is attached." }])
    assert.lengthOf(line("Who sent the budget?"), 1)
    assert.lengthOf(line("Who wrote the budget?"), 0)
    assert.lengthOf(line("To whom was the budget sent?"), 0)
  })

  it("is not the line of a document that is called something else, though most of its name is the same", () => {
    // A word that stands in every other text tells little.
    const known = new Map([["read", 0.1], ["night", 2], ["organ", 2]])
    const line = (title: string) =>
      extractAnswer("Who organizes the reading night?", [{ title, text: "Organizer: Ada\n\nBring tea." }], known)
    assert.lengthOf(line("Reading night"), 1)
    assert.lengthOf(line("Open night"), 0)
  })

  it("is none in a document without a word that an article introduces, be it ever so common", () => {
    const known = new Map([["search", 0.1], ["servic", 2], ["port", 2], ["use", 0.1]])
    const port = (text: string) =>
      extractAnswer("Which port does the search service use?", [{ title: "", text }], known)
    assert.lengthOf(port("The search service has port 70."), 1)
    assert.lengthOf(port("The mail service has port 71."), 0)
    assert.lengthOf(port("The mail service has port 71. Search it yourself."), 1)
  })

  it("to a question for a fact holds its words near each other", () => {
    const between = "which I had not looked at for many long and rainy years in Berlin"
    assert.lengthOf(extractAnswer("Who wrote the strategy?", [{ title: "", text: "Ada wrote the new strategy." }]), 1)
    assert.lengthOf(
      extractAnswer("Who wrote the strategy?", [{
        title: "",
        text: `Ada wrote a book ${between} and praised a strategy.`
      }]),
      0
    )
  })

  it("takes a number for a price only under a head that says so, and for a count only with what is counted", () => {
    const cost = (head: string) =>
      extractAnswer("How much does the vaccine cost?", [{
        title: "",
        text: `| Vaccine | ${head} |\n|---|---|\n| Measles vaccine | 12 |`
      }])
    assert.lengthOf(cost("Price"), 1)
    assert.lengthOf(cost("Shelf"), 0)
    const guests = (text: string) => extractAnswer("How many guests does the party have?", [{ title: "Party", text }])
    assert.lengthOf(guests("Guests: 85"), 1)
    assert.lengthOf(guests("Tables: 85"), 0)
    const issues = (text: string) => extractAnswer("How many issues does the firm have?", [{ title: "Firm", text }])
    assert.lengthOf(issues("The firm has 12 issues."), 1)
    assert.lengthOf(issues("The firm has 12 shares issued."), 0)
    const meeting = [{ title: "", text: "The firm has 1 meeting." }]
    assert.lengthOf(extractAnswer("How many meetings does the firm have?", meeting), 1)
  })

  it("to where something is needs a place, which not all prepositions lead to", () => {
    const where = (text: string) => extractAnswer("Where is the quarterly review?", [{ title: "", text }])
    assert.lengthOf(where("The quarterly review is in Berlin."), 1)
    assert.lengthOf(where("We go to the library for the quarterly review."), 1)
    assert.lengthOf(where("Ada likes to have the quarterly review."), 0)
    assert.lengthOf(where("In general Ada likes the quarterly review."), 0)
    assert.lengthOf(where("Ada is good at planning the quarterly review."), 0)
  })

  it("is no line of a program, whose block may begin before the passage, but may quote one", () => {
    const wrote = (text: string) => extractAnswer("Who wrote the contract?", [{ title: "", text }])
    assert.lengthOf(wrote("Ada wrote the contract with `import { x }` and `() => y`."), 1)
    assert.lengthOf(wrote("*/ import { Ada } wrote contract"), 0)
    assert.lengthOf(wrote("const wrote = contract by Ada"), 0)
    assert.lengthOf(wrote("}, Ada wrote the contract"), 0)
  })

  it("for a day that is named by its distance may be the row of its weekday, unless the table is of another week", () => {
    const text = "| Day | On call |\n|---|---|\n| Tuesday | Ada |\n| Wednesday | Grace |"
    const last = new Date("2026-02-01T09:00:00Z")
    const rows = (title: string) => extractAnswer("Who is on call tomorrow?", [{ title, text, timestamp: last }])
    assert.deepStrictEqual(rows("Rota").map(({ end, start }) => text.slice(start, end)), ["| Wednesday | Grace |"])
    assert.lengthOf(rows("Rota (9 to 13 March)"), 1)
    assert.deepStrictEqual(rows("Rota (2 to 6 February)"), [])
  })

  it("tells two documents that are called what was asked for newest first", () => {
    const found = extractAnswer("When is the X-ray unit maintained?", [
      { title: "Maintenance of the X-ray unit", text: "We come on 12 March for the maintenance.", document: "old" },
      {
        title: "Re: Maintenance of the X-ray unit",
        text: "The maintenance of the X-ray unit moves to 19 March.",
        document: "new",
        timestamp: new Date("2026-03-12T09:00:00Z")
      }
    ])
    assert.deepStrictEqual(found.map(({ passage }) => passage), [1, 0])
  })

  it("is none without passages, and without a question", () => {
    assert.deepStrictEqual(extractAnswer("Who leads the team?", []), [])
    assert.deepStrictEqual(extractAnswer("", PASSAGES), [])
    assert.deepStrictEqual(extractAnswer("?!", PASSAGES), [])
  })

  it("may come from several passages", () => {
    const found = extractAnswer("Who leads the launch?", [
      { title: "", text: "Ada leads the launch in Berlin." },
      { title: "", text: "In Paris it is Grace who leads the launch with her people." }
    ])
    assert.deepStrictEqual(found.map(({ passage }) => passage), [0, 1])
  })

  it("to what something is begins with the sentence that says so", () => {
    const passages = [
      { title: "Settings", text: "Orrery has a port. The Orrery port is 80. Orrery and its port are set in a file." },
      { title: "Start", text: "It runs everywhere. Orrery is a clock that shows where the planets stand." }
    ]
    const first = (question: string) => {
      const [sentence] = extractAnswer(question, passages)
      return passages[sentence!.passage]!.text.slice(sentence!.start, sentence!.end)
    }
    assert.strictEqual(first("What is Orrery?"), "Orrery is a clock that shows where the planets stand.")
    assert.strictEqual(first("What is the Orrery port?"), "The Orrery port is 80.")
  })

  it("to how long or how often something is need not hold those words", () => {
    const passages = [{ title: "Logs", text: "Logs are kept for 30 days. They are rotated each night." }]
    assert.deepStrictEqual(extractAnswer("How long are logs kept?", passages).length, 1)
    assert.deepStrictEqual(extractAnswer("How often are they rotated?", passages).length, 1)
    assert.deepStrictEqual(extractAnswer("Are long logs kept?", passages).length, 0)
  })

  it("does not say the same twice", () => {
    const found = extractAnswer("Who leads the launch?", [
      { title: "", text: "Ada leads the launch in Berlin." },
      { title: "Copy", text: "Ada leads the launch in Berlin!" },
      { title: "", text: "> Ada leads the launch in Berlin." }
    ])
    assert.strictEqual(found.length, 1)
  })

  it.prop("stands verbatim in its passages, and splits no character", [Text, Text, Text], ([question, one, two]) => {
    const passages = [
      { title: question, text: one },
      { title: "", text: `${two} ${question}` },
      {
        title: "",
        text: `| ${question.replaceAll("\n", " ")} | plans |\n|---|---|\n| ${one.replaceAll("\n", " ")} | 7 |`
      },
      { title: question, above: one, text: two }
    ]
    for (const { end, passage, span, start } of extractAnswer(question, passages)) {
      const { text } = passages[passage]!
      assert.isTrue(start >= 0 && start < end && end <= text.length)
      assert.strictEqual(text.slice(start, end).trim().length, end - start)
      assert.isTrue(isBorder(text, -1, start) && isBorder(text, -1, end))
      if (span !== null) assert.isTrue(span.start >= start && span.start < span.end && span.end <= end)
    }
  }, { arbitrary: { runs: 600, size: 60 } })
})
