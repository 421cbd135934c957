/** Written at one go, after the answerer was made and without a look at what it says to them. */

/** A question, what its answer says, and by which document, which need not be the first. */
export const LATER_ANSWERED: ReadonlyArray<readonly [question: string, says: RegExp, document: string]> = [
  ["How much does Northwind want for the servers?", /3,600 euros/, "m-offer"],
  ["When did Sofia borrow the key to the archive?", /2 March 2026/, "c-archive-2"],
  ["Who borrowed the ladder?", /Yuki Tanaka/, "c-archive-3"],
  ["What is the hotel limit for Oslo?", /City: Oslo; Limit: 200/, "p-travel"],
  ["What is the limit for hotels in Paris?", /City: Paris; Limit: 180/, "p-travel"],
  ["With which command is the age of passwords limited?", /chage --maxdays 365 "\$USER"/, "p-security"],
  ["Who found the bunch of keys?", /Jonas Weber/, "c-keys"],
  ["When was version 2.4.1 deployed?", /13:40/, "c-deploy-1"],
  ["Which service was down?", /payment service/, "c-outage-1"],
  ["Why did the payment service fail?", /expired certificate/, "c-outage-2"],
  ["How many issues are open?", /^(?:3|2|two|three)\b/i, "PAY-77"],
  ["How many of our issues are closed?", /^(?:1|one)\b/i, "PAY-71"],
  ["Who works on dark mode?", /Ada Novak/, "APP-219"],
  ["How long does the notice period of the Acme contract last?", /three months/, "m-contract"],
  ["From when on do the bikes go to the basement?", /2 March 2026/, "c-office"],
  ["Is there soup in the kitchen?", /^Yes\. /, "c-lunch"],
  ["How many people do the auditors need a room for?", /six people/, "m-visit"],
  ["Where are backups kept?", /Frankfurt/, "p-backup"],
  ["In how many countries has Orrery customers?", /14 countries/, "p-orrery"],
  ["What happens when a badge is lost?", /front desk/, "p-security"],
  ["When are the interviews for the designer position?", /on Thursdays/, "c-hire-2"],
  ["How often is a release cut?", /every second Tuesday/, "p-release"]
]

export const LATER_UNANSWERED: ReadonlyArray<string> = [
  "What is the hotel limit for Rome?",
  "Who borrowed the projector?",
  "How many servers does Globex offer?",
  "When is the fire drill in Lisbon?",
  "How long are log files kept?",
  "What did the auditors find?",
  "Who is on call this weekend?",
  "Is the swimming pool closed?"
]
