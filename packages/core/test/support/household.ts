/** The mails and the calendar of one person, and what she asks about them. */
import { mail, meeting, type Written } from "./written.ts"

const ME = "camille@moreau.example"

export const DOCUMENTS: ReadonlyArray<Written> = [
  mail(
    "rent",
    "2026-02-26T10:00:00Z",
    "Karl Wolf",
    ME,
    "Rent",
    "Dear Ms Moreau,\n\nfrom 1 May 2026 the rent is 1,140 euros a month instead of 1,080 euros. Everything else in the contract stays as it is.\n\nKind regards\nKarl Wolf"
  ),
  mail(
    "flight",
    "2026-02-14T08:00:00Z",
    "Alpine Air",
    ME,
    "Your booking to Zurich",
    "Thank you for booking with us.\n\nFlight AA 1184 to Zurich departs on 27 March 2026 at 06:55 from Terminal 2.\nBooking reference: QK7R2P\n\nYou may bring one bag of up to 23 kg."
  ),
  mail(
    "dentist",
    "2026-03-03T08:30:00Z",
    "Dr. Amrani's practice",
    ME,
    "Your appointment",
    "Unfortunately we have to move your dentist appointment from 16 March to 18 March at 14:30. Please call us if that does not suit you."
  ),
  mail(
    "maman",
    "2026-03-09T18:00:00Z",
    "Julie Moreau",
    ME,
    "Maman",
    "Coucou Camille,\n\nMaman arrive samedi à 15h12 à la gare de l'Est. Peux-tu aller la chercher ? Moi, je travaille jusqu'à 18h.\n\nJulie"
  ),
  mail(
    "claim",
    "2026-03-02T13:00:00Z",
    "Nordstern Insurance",
    ME,
    "Your claim SC-20931",
    "We have accepted your claim for the broken window. We pay 412.50 euros within ten days."
  ),
  mail(
    "trip",
    "2026-03-05T12:00:00Z",
    "Primary school",
    ME,
    "School trip of class 3b",
    "Dear parents,\n\nin June class 3b goes to the lake for three days. The school trip costs 65 euros per child. Please return the form by 20 March.\n\nMs Adler"
  ),
  mail(
    "power-1",
    "2026-01-15T06:00:00Z",
    "Stadtwerke",
    ME,
    "Invoice for December",
    "Your invoice is attached. It comes to 71.20 euros."
  ),
  mail(
    "power-2",
    "2026-02-15T06:00:00Z",
    "Stadtwerke",
    ME,
    "Invoice for January",
    "Your invoice is attached. It comes to 84.90 euros."
  ),
  mail(
    "power-3",
    "2026-03-06T06:00:00Z",
    "Stadtwerke",
    ME,
    "Invoice for February",
    "Your invoice is attached. It comes to 79.05 euros."
  ),
  mail(
    "bicycle",
    "2026-03-09T15:00:00Z",
    "Speiche bike shop",
    ME,
    "Ready for you",
    "Hello, your bicycle is ready. We replaced the chain and the rear brake. We are open until 18:30."
  ),
  mail(
    "chimney",
    "2026-03-08T17:00:00Z",
    "Uwe Petersen",
    ME,
    "Schornsteinfeger",
    "Hallo Camille,\n\nder Schornsteinfeger kommt am Donnerstag zwischen 8 und 10 Uhr. Kannst du ihm aufmachen?\n\nUwe"
  ),
  mail(
    "gym",
    "2026-03-01T09:00:00Z",
    "Fit & Free",
    ME,
    "Your membership",
    "We are sorry to see you go. Your gym membership has been cancelled as of 30 April 2026."
  ),
  mail(
    "nadia",
    "2026-03-09T20:00:00Z",
    "Nadia Haddad",
    ME,
    "Thursday",
    "Looking forward to our lunch! By the way, I don't eat meat any more. See you at Trattoria Po."
  ),
  meeting(
    "k-lunch",
    "2026-03-12T11:30:00Z",
    "2026-03-12T13:00:00Z",
    "Lunch with Nadia",
    "Trattoria Po",
    "Give her the book back."
  ),
  meeting("k-parents", "2026-03-24T18:00:00Z", "2026-03-24T20:00:00Z", "Parents' evening", "Room 12", "Class 3b."),
  meeting(
    "k-choir-1",
    "2026-03-04T18:30:00Z",
    "2026-03-04T20:30:00Z",
    "Choir rehearsal",
    "St. Luke's Hall",
    "Requiem."
  ),
  meeting(
    "k-choir-2",
    "2026-03-11T18:30:00Z",
    "2026-03-11T20:30:00Z",
    "Choir rehearsal",
    "St. Luke's Hall",
    "Requiem."
  ),
  meeting(
    "k-choir-3",
    "2026-03-18T18:30:00Z",
    "2026-03-18T20:30:00Z",
    "Choir rehearsal",
    "St. Luke's Hall",
    "Requiem."
  ),
  meeting(
    "k-choir-4",
    "2026-04-01T17:30:00Z",
    "2026-04-01T19:30:00Z",
    "Choir rehearsal",
    "St. Luke's Hall",
    "Dress rehearsal."
  ),
  meeting("k-tax", "2026-03-17T08:00:00Z", "2026-03-17T09:00:00Z", "Tax adviser", "Kanzlei Berg", "Bring the payslips.")
]

export const ANSWERED: ReadonlyArray<readonly [question: string, says: RegExp, document: string]> = [
  ["How high is the rent from May?", /1,140 euros/, "rent"],
  ["From which terminal does the flight to Zurich leave?", /Terminal 2/, "flight"],
  ["What is the booking reference of my flight to Zurich?", /QK7R2P/, "flight"],
  ["When is the dentist appointment?", /18 March/, "dentist"],
  ["Quand arrive Maman ?", /samedi à 15h12/, "maman"],
  ["How much does the insurance pay for the window?", /412\.50 euros/, "claim"],
  ["How many invoices did Stadtwerke send?", /^(?:3|three)\b/i, "power-1"],
  ["How many choir rehearsals are there in March?", /^(?:3|three)\b/i, "k-choir-2"],
  ["Until when must the form for the school trip be returned?", /20 March/, "trip"],
  ["Is my bicycle ready?", /^Yes\. /, "bicycle"],
  ["Wann kommt der Schornsteinfeger?", /Donnerstag zwischen 8 und 10 Uhr/, "chimney"],
  ["Where do I meet Nadia on Thursday?", /Trattoria Po/, "k-lunch"]
]

export const UNANSWERED: ReadonlyArray<string> = [
  "How much did the flight to Zurich cost?",
  "When does the flight to Geneva depart?",
  "What is my blood type?",
  "How much does the tax adviser charge?",
  "Wann kommt der Klempner?",
  "Is the car ready?"
]
