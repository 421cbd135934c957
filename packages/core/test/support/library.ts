/** Files, mails and meetings of which the asked-for facts stand in titles and in the lines before a text; and what is asked about them. */
import { issue, mail, meeting, page, type Written } from "./written.ts"

/** A file whose properties name its authors, as it is stored. */
const file = (name: string, at: string, title: string, authors: string, text: string): Written =>
  page(name, at, title, `Author: ${authors}\n\n${text}`)

export const DOCUMENTS: ReadonlyArray<Written> = [
  file(
    "budget.html",
    "2026-01-12T10:00:00Z",
    "Budget 2026",
    "Ada Example",
    "Budget 2026\n\nRent 12,000 euros, paper 300 euros, travel 4,100 euros. Everything above 500 euros needs two signatures."
  ),
  file(
    "plans/volunteers.docx",
    "2025-11-03T10:00:00Z",
    "Handbook for volunteers",
    "Ruth Ansel, Tobias Okafor",
    "Volunteers work in pairs. Whoever is late calls the desk. Lunch is free on days with more than four hours of work."
  ),
  file(
    "risks.docx",
    "2026-01-14T10:00:00Z",
    "Risk register",
    "Helene Brandt",
    "Date: 14 January 2026\nReviewer: Pauline Kask\n\nWater in the basement. Likelihood high, damage high. The pump is tested each month.\n\nTheft of books. Likelihood low, damage medium."
  ),
  file(
    "legal/lease.pdf",
    "2025-06-28T10:00:00Z",
    "Lease of the reading room",
    "Kanzlei Wirth",
    "Landlord: Municipality of Arle\nTenant: Reading Society\nStart: 1 July 2025\n\nThe rent is due on the third working day of each month. Either side may end the lease with six months' notice."
  ),
  page(
    "minutes/2026-02.md",
    "2026-02-04T10:00:00Z",
    "Minutes of the general assembly",
    "Date: 3 February 2026\nLocation: Town hall, room 7\nChair: Ingrid Solheim\nSecretary: Matteo Ricci\n\nThe assembly agreed to open on Sundays from April on. The fee stays as it is. 41 members were present."
  ),
  page(
    "posters/reading-night.txt",
    "2026-02-20T10:00:00Z",
    "Reading night",
    "Date: 24 April 2026\nLocation: Arle library, ground floor\nAdmission: 6 euros\nReaders: Paul Adeyemi, Sunniva Dahl\n\nBring a cushion. Tea is served in the break."
  ),
  page(
    "cats.md",
    "2026-02-22T10:00:00Z",
    "Catalogue rules",
    "Author: Zofia Lis\nVersion: 3.1\nApproved by: Ingrid Solheim\n\nA book gets one shelf mark. Maps are described by their scale. Journals are entered once, not by the issue."
  ),
  mail(
    "l-heating",
    "2026-02-26T07:40:00Z",
    "Bo Lindgren <bo@arle.example>",
    "Ruth Ansel <ruth@arle.example>",
    "Heating in the reading room",
    "Dear Ruth,\n\nthe radiator under the window leaks. I put a bucket under it; please call the plumber.\n\nBo"
  ),
  mail(
    "l-loan",
    "2026-03-03T13:10:00Z",
    "University of Tartu <loans@tartu.example>",
    "Zofia Lis <zofia@arle.example>",
    "Loan of the Blaeu atlas",
    "Dear Ms Lis,\n\nwe can lend you the atlas for eight weeks. It must be insured for 22,000 euros. Our courier brings it.\n\nKind regards\nKadri Mets"
  ),
  mail(
    "l-quote",
    "2026-03-05T09:00:00Z",
    "Holzbau Kern <office@kern.example>",
    "Matteo Ricci <matteo@arle.example>",
    "Quote for shelves",
    "Dear Mr Ricci,\n\nnine shelves of oak come to 5,940 euros with delivery. We need three weeks.\n\nHolzbau Kern"
  ),
  meeting(
    "l-training",
    "2026-03-19T16:00:00Z",
    "2026-03-19T18:00:00Z",
    "Training on book repair",
    "Workshop, back entrance",
    "Glue and paper are there. Bring an apron.",
    "Sunniva Dahl",
    ["Bo Lindgren", "Zofia Lis"]
  ),
  meeting(
    "l-jury",
    "2026-04-02T15:00:00Z",
    "2026-04-02T17:00:00Z",
    "Jury of the essay prize",
    "Café Mignon",
    "All entries are in the shared folder.",
    "Paul Adeyemi",
    ["Ingrid Solheim", "Kadri Mets", "Tobias Okafor"]
  ),
  issue(
    "LIB-31",
    "2026-03-01T10:00:00Z",
    "Opening hours on the website are wrong",
    "open",
    "Tobias Okafor",
    "Saturday is missing.",
    "Sunniva Dahl"
  ),
  issue(
    "LIB-34",
    "2026-03-04T10:00:00Z",
    "Scanner leaves a stripe",
    "closed",
    "Bo Lindgren",
    "The glass was dirty.",
    "Zofia Lis"
  )
]

/** A question, what its answer says, and by which document. */
export const ANSWERED: ReadonlyArray<readonly [question: string, says: RegExp, document: string]> = [
  ["Who wrote the budget?", /Ada Example/, "budget.html"],
  ["Who is the author of the handbook for volunteers?", /Ruth Ansel.*Tobias Okafor/, "plans/volunteers.docx"],
  ["Who wrote the risk register?", /Helene Brandt/, "risks.docx"],
  ["Who reviewed the risk register?", /Pauline Kask/, "risks.docx"],
  ["Who drew up the lease of the reading room?", /Kanzlei Wirth/, "legal/lease.pdf"],
  ["Who is the landlord of the reading room?", /Municipality of Arle/, "legal/lease.pdf"],
  ["When did the lease of the reading room start?", /1 July 2025/, "legal/lease.pdf"],
  ["Who chaired the general assembly?", /Ingrid Solheim/, "minutes/2026-02.md"],
  ["Where was the general assembly?", /Town hall/, "minutes/2026-02.md"],
  ["When was the general assembly?", /3 February 2026/, "minutes/2026-02.md"],
  ["How many members were present at the general assembly?", /41 members/, "minutes/2026-02.md"],
  ["When is the reading night?", /24 April 2026/, "posters/reading-night.txt"],
  ["Where is the reading night?", /Arle library/, "posters/reading-night.txt"],
  ["How much is the admission to the reading night?", /6 euros/, "posters/reading-night.txt"],
  ["Who reads at the reading night?", /Paul Adeyemi.*Sunniva Dahl/, "posters/reading-night.txt"],
  ["Who approved the catalogue rules?", /Ingrid Solheim/, "cats.md"],
  ["Who made the catalogue rules?", /Zofia Lis/, "cats.md"],
  ["Which version of the catalogue rules is this?", /3\.1/, "cats.md"],
  ["Who wrote about the heating in the reading room?", /Bo Lindgren/, "l-heating"],
  ["To whom was the quote for shelves sent?", /Matteo Ricci/, "l-quote"],
  ["Who sent the quote for shelves?", /Holzbau Kern/, "l-quote"],
  ["Who lends us the Blaeu atlas?", /Tartu/, "l-loan"],
  ["How many weeks may we keep the Blaeu atlas?", /eight weeks/, "l-loan"],
  ["Where is the training on book repair?", /Workshop, back entrance/, "l-training"],
  ["Who organizes the training on book repair?", /Sunniva Dahl/, "l-training"],
  ["When does the jury of the essay prize meet?", /2 April 2026|2026-04-02/, "l-jury"],
  ["Who is in the jury of the essay prize?", /Kadri Mets/, "l-jury"],
  ["Who reported that the scanner leaves a stripe?", /Zofia Lis/, "LIB-34"],
  ["Who is assigned to the wrong opening hours?", /Tobias Okafor/, "LIB-31"],
  ["What is the state of LIB-34?", /closed/, "LIB-34"]
]

/** Of the same and of what is near, things that stand nowhere. */
export const UNANSWERED: ReadonlyArray<string> = [
  "Who wrote the strategy?",
  "Who approved the budget?",
  "Who wrote the handbook for drivers?",
  "Who is the author of the annual report?",
  "Who reviewed the catalogue rules?",
  "When was the risk register approved?",
  "Where is the summer party?",
  "Who organizes the reading night?",
  "Who wrote the lease of the garage?",
  "How many members were present at the board meeting?",
  "To whom was the invoice for the scanner sent?",
  "Who made the poster for the flea market?",
  "Which version of the handbook is in force?",
  "Who chaired the jury of the film prize?"
]
