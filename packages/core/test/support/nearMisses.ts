/** Questions that come near to what the collections say, and that nothing there answers: another attribute, person, year or place. */

export const OF_COMPANY: ReadonlyArray<string> = [
  "How much did the launch of the mobile app cost?",
  "When is the launch of the mobile app in Japan?",
  "How high was the marketing budget for Berlin in 2024?",
  "Who signed the contract with Acme?",
  "How many employees does Northwind have?",
  "When was the data centre of Northwind built?",
  "Which hotel do the auditors stay at?",
  "Who approved the release of version 2.4.1?",
  "Why did Omar Haddad move to research?",
  "When does Priya Raman leave the platform team?",
  "How old is Sofia Marin?",
  "How many applicants were there for the engineer position?",
  "Where does Lucía Gómez work?",
  "How many desks does the Paris office have?",
  "What is the hotel limit for London?",
  "How long does the onboarding take?",
  "Who pays for the security training?",
  "How many visitors came in March?",
  "Is the archive open on Sunday?",
  "How often does the payment service fail?",
  "How many incidents were there in April?",
  "Who will lead the platform team next year?",
  "When did the canteen open?",
  "How much does a laptop cost?"
]

export const OF_BAKERY: ReadonlyArray<string> = [
  "How much does the electrician charge?",
  "Who repaired the big oven?",
  "When is Ines's birthday?",
  "How many rolls does Café Nord get a day?",
  "How much does a rye loaf cost?",
  "Why did the school cancel its pretzels?",
  "How often did the small oven trip in January?",
  "When does the hygiene inspector come in May?",
  "How many sacks of sugar are left?"
]

export const OF_HOUSEHOLD: ReadonlyArray<string> = [
  "When does the flight from Zurich arrive?",
  "How much did the flight to Zurich cost?",
  "How much is the rent in 2027?",
  "When is the doctor's appointment?",
  "Who broke the window?",
  "How much does the gym membership cost?",
  "When is the invoice for March due?",
  "How long does the choir rehearsal in May last?",
  "What did Nadia give Camille?",
  "How much does the new chain of the bicycle cost?"
]

export const OF_CLINIC: ReadonlyArray<string> = [
  "How many doses of tetanus vaccine were used in January?",
  "Who stole the umbrella?",
  "When does Dr. Lindqvist go on holiday?",
  "How much do new patients pay?",
  "How many needlestick injuries were there in 2024?",
  "How many incidents were there in April?",
  "Who repaired the ECG?",
  "When does the practice open on Sunday?",
  "Where does Dr. Amari spend her leave?",
  "How many chairs are in the break room?",
  "Is the waiting room heated?",
  "Who is on call on Saturday?",
  "What does the resuscitation training cost?",
  "How long is the guarantee of the steriliser?",
  "Why is Marta leaving?",
  "When is the fire drill in 2027?"
]
