/** What the people of a doctors' practice write to each other, and what they ask about it. */
import { issue, mail, meeting, message, page, type Written } from "./written.ts"

export const DOCUMENTS: ReadonlyArray<Written> = [
  page(
    "hours",
    "2026-01-05T08:00:00Z",
    "Opening hours",
    `The practice is closed on public holidays.

| Day | Morning | Afternoon |
| --- | --- | --- |
| Monday | 8:00 to 12:00 | 14:00 to 18:00 |
| Tuesday | 8:00 to 12:00 | 15:00 to 19:00 |
| Wednesday | 8:00 to 12:30 | closed |
| Thursday | 8:00 to 12:00 | 14:00 to 18:00 |
| Friday | 7:30 to 13:00 | closed |

Home visits are made on Wednesday afternoons.`
  ),
  page(
    "rota-11",
    "2026-03-06T16:00:00Z",
    "Rota, week 11 (9 to 13 March)",
    `| Day | Reception | Treatment room | On call |
| --- | --- | --- | --- |
| Monday | Petra | Yusuf | Dr. Haas |
| Tuesday | Petra | Yusuf | Dr. Lindqvist |
| Wednesday | Marta | Yusuf | Dr. Haas |
| Thursday | Marta | Noor | Dr. Lindqvist |
| Friday | Petra | Noor | Dr. Amari |`
  ),
  page(
    "incidents",
    "2026-03-05T17:00:00Z",
    "Incident log",
    `Everything that went wrong and nearly hurt somebody. Newest last.

- 12 January 2026: Needlestick injury in the treatment room, Noor. Reported to the insurer.
- 27 January 2026: Two samples were swapped, noticed by the lab.
- 9 February 2026: A patient fell in the corridor on the wet floor.
- 16 February 2026: Needlestick injury, Yusuf, while recapping. Recapping is forbidden.
- 23 February 2026: Vaccine fridge above 8 degrees for two hours, 14 doses thrown away.
- 4 March 2026: A patient was called in under the wrong name.`
  ),
  page(
    "vaccines",
    "2026-03-09T17:30:00Z",
    "Vaccine stock",
    `Counted by Noor on Monday evening.

| Vaccine | Doses | Expires | Shelf |
| --- | --- | --- | --- |
| Influenza | 22 | June 2026 | 1 |
| Tetanus | 35 | November 2027 | 2 |
| Measles | 9 | August 2026 | 2 |
| Hepatitis B | 12 | January 2028 | 3 |`
  ),
  page(
    "prices",
    "2026-01-12T09:00:00Z",
    "Prices for patients who pay themselves",
    `# Certificates

- Sick note for a school: 5 euros
- Fitness to drive: 45 euros
- Fitness to dive: 80 euros

# Travel

- Travel consultation: 30 euros
- Yellow fever vaccination: we do not offer it, patients go to the Tropical Institute.`
  ),
  page(
    "hygiene",
    "2025-11-03T09:00:00Z",
    "Hygiene plan",
    `# Hands

Rub for 30 seconds with Sterillium, before and after each patient.

# Surfaces

The treatment room is wiped down after every patient. The waiting room is wiped down twice a day.

# Instruments

1. Put the used instruments into the grey tray.
2. Soak them for 15 minutes.
3. Dry and pack them.
4. Run the steriliser on programme 4.

The steriliser is tested every Monday morning by whoever has the treatment room.`
  ),
  page(
    "minutes-feb",
    "2026-02-18T18:30:00Z",
    "Team meeting, 18 February",
    `Present: Dr. Haas, Dr. Lindqvist, Petra, Marta, Noor, Yusuf. Excused: Dr. Amari.

# Telephone

We switch the telephone off between 12:00 and 14:00 because nobody can eat in peace.

# Waiting room

The toys are removed since they cannot be disinfected. Marta buys new chairs, at most 1,200 euros.

# Next meeting

18 March at 18:00 in the break room.`
  ),
  page(
    "induction",
    "2025-09-01T08:00:00Z",
    "For new colleagues",
    `## Keys

You get your key from Dr. Lindqvist. A lost key has to be reported the same day.

## Computer

To reset your password, call the Medisoft hotline on 0800 555 0199 and give them the practice number.

## Parking

Staff park behind the pharmacy. The two places in front of the door are for patients only.

## Holidays

Leave is requested six weeks ahead from Petra.`
  ),
  mail(
    "xray-1",
    "2026-02-20T10:00:00Z",
    "service@roentec.example",
    "petra@lindenhof.example",
    "Maintenance of your X-ray unit",
    "Dear Ms Vogel,\n\nour technician will come on 12 March at 9:00 for the yearly maintenance. It takes about three hours.\n\nKind regards\nRoentec"
  ),
  mail(
    "xray-2",
    "2026-03-04T11:20:00Z",
    "service@roentec.example",
    "petra@lindenhof.example",
    "Re: Maintenance of your X-ray unit",
    "Dear Ms Vogel,\n\nunfortunately our technician is ill. The maintenance of the X-ray unit moves to 19 March at 9:00. We are sorry.\n\nKind regards\nRoentec"
  ),
  mail(
    "lab-1",
    "2026-01-08T09:00:00Z",
    "info@labor-nord.example",
    "praxis@lindenhof.example",
    "Collection times",
    "Our driver collects your samples at 13:30 every working day."
  ),
  mail(
    "lab-2",
    "2026-03-02T09:00:00Z",
    "info@labor-nord.example",
    "praxis@lindenhof.example",
    "New collection time",
    "From next Monday our driver collects your samples at 12:15, on Fridays at 11:30. Results of blood counts are online after 4 hours, those of cultures after three days."
  ),
  mail(
    "chairs",
    "2026-03-06T14:00:00Z",
    "bestellung@sitzgut.example",
    "marta@lindenhof.example",
    "Your order 20817",
    "Thank you for your order of 14 chairs, model Alma, in blue. The total is 1,148 euros. Delivery is on Thursday next week."
  ),
  mail(
    "amari-leave",
    "2026-02-25T08:00:00Z",
    "amari@lindenhof.example",
    "petra@lindenhof.example",
    "My leave",
    "Dear Petra, I am away from 16 to 27 March. Dr. Haas sees my patients in that time, except for ultrasounds, those go to Dr. Lindqvist."
  ),
  mail(
    "inspection",
    "2026-03-03T13:00:00Z",
    "gesundheitsamt@stadt.example",
    "praxis@lindenhof.example",
    "Inspection of 26 February",
    "The inspection found two deficiencies: the emergency case lacked adrenaline, and the hand rub in the toilet had expired. Both are to be put right by 31 March. The next inspection takes place in two years."
  ),
  message("rec-1", "2026-03-09T07:20:00Z", "#reception", "Petra", "The card reader at desk 2 is dead again."),
  message("rec-2", "2026-03-09T07:25:00Z", "#reception", "Marta", "Unplug it for a minute, that helped last time."),
  message("rec-3", "2026-03-09T07:40:00Z", "#reception", "Petra", "It did. Thanks!"),
  message(
    "rec-4",
    "2026-03-09T15:10:00Z",
    "#reception",
    "Petra",
    "Mrs. Okonkwo called, she left her umbrella here. It is in the drawer under the printer."
  ),
  message(
    "rec-5",
    "2026-03-10T06:50:00Z",
    "#reception",
    "Petra",
    "My son is sick, can someone do the desk tomorrow afternoon?"
  ),
  message("rec-6", "2026-03-10T06:58:00Z", "#reception", "Yusuf", "We're closed tomorrow afternoon :)"),
  message("flu-1", "2026-02-13T16:00:00Z", "#flu", "Noor", "This week 31 people came for their flu shot."),
  message("flu-2", "2026-02-20T16:00:00Z", "#flu", "Noor", "18 flu shots this week, it is getting quiet."),
  message("flu-3", "2026-02-27T16:00:00Z", "#flu", "Noor", "Only 7 flu shots. We stop the flu clinic after next week."),
  message(
    "swap-1",
    "2026-03-09T12:00:00Z",
    "#rota",
    "Noor",
    "I have a dentist on Friday. Yusuf, could you take the treatment room?"
  ),
  message("swap-2", "2026-03-09T12:04:00Z", "#rota", "Yusuf", "Sure, if you take my Wednesday."),
  message("swap-3", "2026-03-09T12:05:00Z", "#rota", "Noor", "Deal."),
  issue(
    "MED-31",
    "2026-03-02T08:30:00Z",
    "ECG prints empty pages",
    "closed",
    "Yusuf",
    "The ECG in room 3 printed empty pages. The paper was in upside down: the grid has to face the roller."
  ),
  issue(
    "MED-34",
    "2026-03-09T09:00:00Z",
    "Blood pressure monitor shows error E7",
    "open",
    "Noor",
    "Error E7 appears after ten seconds. Changing the cuff did not help. Sent to Meditronik for repair on 9 March, they want 140 euros."
  ),
  meeting(
    "drill",
    "2026-03-17T12:15:00Z",
    "2026-03-17T12:45:00Z",
    "Fire drill",
    "Courtyard",
    "Everybody leaves by the back stairs. Yusuf is the fire warden and counts heads.",
    "Dr. Lindqvist",
    ["Petra", "Marta", "Noor", "Yusuf"]
  ),
  meeting(
    "training",
    "2026-03-12T13:00:00Z",
    "2026-03-12T15:00:00Z",
    "Resuscitation training",
    "Community hall, room 2",
    "With the Red Cross. Compulsory for everyone who has patients.",
    "Dr. Haas",
    ["Noor", "Yusuf", "Dr. Lindqvist"]
  )
]

export const ANSWERED: ReadonlyArray<readonly [question: string, says: RegExp, document: string]> = [
  ["Who is on call on Thursday?", /^Dr\. Lindqvist/, "rota-11"],
  ["Who is the fire warden?", /Yusuf/, "drill"],
  ["When is the X-ray unit maintained?", /19 March.*12 March/s, "xray-2"],
  ["When does the lab's driver collect the samples on Fridays?", /11:30/, "lab-2"],
  ["When is the next team meeting?", /18 March/, "minutes-feb"],
  ["Where do staff park?", /behind the pharmacy/, "induction"],
  ["Where is the resuscitation training?", /Community hall/, "training"],
  ["Where is Mrs. Okonkwo's umbrella?", /drawer/, "rec-4"],
  ["How many doses of measles vaccine are left?", /\b9\b/, "vaccines"],
  ["How many needlestick injuries were there this year?", /^2\b(?=.*12 January)(?=.*16 February)/s, "incidents"],
  ["How many incidents were there in February?", /^3\b/, "incidents"],
  ["How many people came for a flu shot in the second week of February?", /31 people/, "flu-1"],
  ["How much does a certificate for diving cost?", /80 euros/, "prices"],
  ["How much did the chairs cost?", /1,148 euros/, "chairs"],
  ["Do we offer yellow fever vaccinations?", /^No\b/i, "prices"],
  ["Is the practice open tomorrow afternoon?", /closed/i, "hours"],
  ["Why is the telephone switched off at noon?", /eat in peace/, "minutes-feb"],
  ["How do I reset my password?", /0800 555 0199/, "induction"],
  ["Which programme does the steriliser run on?", /programme 4/, "hygiene"],
  ["What did the inspection find?", /adrenaline/, "inspection"],
  ["Who sees Dr. Amari's patients while she is away?", /Dr\. Haas/, "amari-leave"],
  ["Who has the treatment room on Friday?", /(?=.*Friday)(?=.*Yusuf, could you take)/s, "rota-11"]
]

export const UNANSWERED: ReadonlyArray<string> = [
  "How many doses of rabies vaccine are left?",
  "How much does a travel vaccination against hepatitis cost?",
  "When is Dr. Haas away?",
  "Who is the data protection officer?",
  "What did the inspection of 2024 find?",
  "Where do patients get their prescriptions?",
  "When was the ECG bought?",
  "How long does the fire drill in September take?"
]
