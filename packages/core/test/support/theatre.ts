/** Papers of a small theatre, of which most facts stand in titles and in the lines before a text; written after the answerer was changed for those of `library.ts`. */
import { issue, mail, meeting, message, page, type Written } from "./written.ts"

export const DOCUMENTS: ReadonlyArray<Written> = [
  page(
    "plays/the-ferryman.pdf",
    "2025-09-12T10:00:00Z",
    "The Ferryman's Daughter",
    "Author: Gwen Pritchard\nTranslator: Dov Halevi\n\nA play in three acts.\n\nThe stage is dark. A bell rings somewhere over the water."
  ),
  page(
    "programme.html",
    "2026-01-08T10:00:00Z",
    "Spring season",
    "Author: Marguerite Oyelaran\n\nProgramme for spring\n\nWe open with a comedy on 6 March 2026. In April the children's choir sings on our stage."
  ),
  page(
    "stage-plan.docx",
    "2026-02-01T10:00:00Z",
    "Stage plan for the comedy",
    "Author: Iker Soto\nChecked by: Lotte Brinkmann\nVersion: 7\n\nTwo doors on the left, one window. The stairs carry no more than three people."
  ),
  page(
    "contract-lights.pdf",
    "2025-11-20T10:00:00Z",
    "Rental of the spotlights",
    "Lessor: Lumen & Sons\nStart: 1 December 2025\nEnd: 30 June 2026\nDeposit: 800 euros\n\nBroken lamps are paid for by the theatre."
  ),
  page(
    "premiere.txt",
    "2026-02-10T10:00:00Z",
    "Premiere party",
    "Date: 6 March 2026\nLocation: Upper foyer\nHost: Lotte Brinkmann\nGuests: 85\n\nThere is soup. The bar closes at one."
  ),
  page(
    "fire-report.md",
    "2026-02-14T10:00:00Z",
    "Report of the fire inspection",
    "Date: 13 February 2026\nInspector: Rune Aas\nResult: passed with conditions\n\nThe curtain has to be treated again before autumn."
  ),
  mail(
    "t-costumes",
    "2026-02-18T09:00:00Z",
    "Sewing room Nadel <hello@nadel.example>",
    "Marguerite Oyelaran <m@theatre.example>",
    "Invoice for the costumes",
    "Dear Ms Oyelaran,\n\nplease find our invoice over 2,310 euros for eleven costumes. It is due within 14 days."
  ),
  mail(
    "t-actor",
    "2026-03-01T20:00:00Z",
    "Piotr Wilk <piotr@theatre.example>",
    "Iker Soto <iker@theatre.example>",
    "Broken step",
    "Iker, the third step of the stairs is loose. I nearly fell yesterday."
  ),
  meeting(
    "t-reading",
    "2026-03-23T17:00:00Z",
    "2026-03-23T20:00:00Z",
    "First reading of The Ferryman's Daughter",
    "Rehearsal room 2",
    "Bring a pencil.",
    "Gwen Pritchard",
    ["Piotr Wilk", "Lotte Brinkmann", "Anouk Vidal"]
  ),
  meeting(
    "t-tax",
    "2026-04-15T08:00:00Z",
    "2026-04-15T09:00:00Z",
    "Meeting with the auditor",
    "Office of the theatre",
    "Receipts of last year.",
    "Marguerite Oyelaran",
    ["Iker Soto"]
  ),
  issue(
    "TH-5",
    "2026-03-02T10:00:00Z",
    "Dimmer hums during quiet scenes",
    "open",
    "Rashid Noor",
    "It hums at half power.",
    "Anouk Vidal"
  ),
  message(
    "t-msg-1",
    "2026-03-08T10:00:00Z",
    "#props",
    "Anouk",
    "The lantern is back from repair, it is in the cupboard."
  )
]

export const ANSWERED: ReadonlyArray<readonly [question: string, says: RegExp, document: string]> = [
  ["Who wrote The Ferryman's Daughter?", /Gwen Pritchard/, "plays/the-ferryman.pdf"],
  ["Who translated The Ferryman's Daughter?", /Dov Halevi/, "plays/the-ferryman.pdf"],
  ["Who wrote the programme for spring?", /Marguerite Oyelaran/, "programme.html"],
  ["Who drew the stage plan?", /Iker Soto/, "stage-plan.docx"],
  ["Who checked the stage plan for the comedy?", /Lotte Brinkmann/, "stage-plan.docx"],
  ["Which version of the stage plan do we have?", /7/, "stage-plan.docx"],
  ["When does the rental of the spotlights end?", /30 June 2026/, "contract-lights.pdf"],
  ["How high is the deposit for the spotlights?", /800 euros/, "contract-lights.pdf"],
  ["Who is the lessor of the spotlights?", /Lumen/, "contract-lights.pdf"],
  ["Where is the premiere party?", /Upper foyer/, "premiere.txt"],
  ["When is the premiere party?", /6 March 2026/, "premiere.txt"],
  ["Who hosts the premiere party?", /Lotte Brinkmann/, "premiere.txt"],
  ["How many guests come to the premiere party?", /85/, "premiere.txt"],
  ["When was the fire inspection?", /13 February 2026/, "fire-report.md"],
  ["Who was the inspector of the fire inspection?", /Rune Aas/, "fire-report.md"],
  ["What was the result of the fire inspection?", /passed with conditions/, "fire-report.md"],
  ["Who sent the invoice for the costumes?", /Nadel/, "t-costumes"],
  ["How much do the costumes cost?", /2,310 euros/, "t-costumes"],
  ["Who wrote about the broken step?", /Piotr Wilk/, "t-actor"],
  ["Where is the first reading?", /Rehearsal room 2/, "t-reading"],
  ["When do we meet the auditor?", /15 April 2026|2026-04-15/, "t-tax"],
  ["Who takes part in the first reading of The Ferryman's Daughter?", /Anouk Vidal/, "t-reading"],
  ["Who takes care of the dimmer?", /Rashid Noor/, "TH-5"],
  ["Who reported that the dimmer hums?", /Anouk Vidal/, "TH-5"],
  ["Where is the lantern?", /cupboard/, "t-msg-1"]
]

export const UNANSWERED: ReadonlyArray<string> = [
  "Who wrote the programme for autumn?",
  "Who painted the stage plan?",
  "Who translated the comedy?",
  "When was the fire report written?",
  "Where is the second reading?",
  "Who hosts the summer party?",
  "How high is the deposit for the microphones?",
  "Who sent the invoice for the curtain?",
  "When does the contract of the sewing room end?",
  "Who is the inspector of the lift?",
  "How many guests came to the reading?",
  "Where was The Ferryman's Daughter printed?"
]
