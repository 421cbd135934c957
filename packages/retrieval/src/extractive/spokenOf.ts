/** Questions for where something is spoken of: whoever asks wants the passages, and no place. In English only. */

const DOCUMENTS =
  "(?:documents?|files?|pages?|e-?mails?|mails?|messages?|notes?|tickets?|issues?|articles?|entry|entries|texts?)"

const IS = "(?:is|are|was|were)"

const DONE =
  "(?:mentioned|named|cited|quoted|referenced|discussed|described|documented|referred\\s+to|talked\\s+about|spoken\\s+of|written\\s+(?:down|about))"

const DOES =
  "(?:mention|name|cite|quote|reference|contain|discuss(?:es)?|describe|document|refers?\\s+to|talks?\\s+about|speaks?\\s+of|(?:is|are)\\s+about)s?"

const THING = "(\\S.*?)"

const END = "[\\s?.!]*$"

const PATTERNS: ReadonlyArray<RegExp> = [
  `^\\s*(?:where|in\\s+(?:what|which)\\s+${DOCUMENTS})\\s+${IS}\\s+${THING}\\s+${DONE}${END}`,
  `^\\s*(?:what|which)\\s+${DOCUMENTS}\\s+${DOES}\\s+${THING}${END}`,
  `^\\s*where\\s+(?:do|does|did)\\s+\\p{L}+\\s+${DOES}\\s+${THING}${END}`
].map((pattern) => new RegExp(pattern, "iu"))

/** The longest question that may be one of these. */
const LONGEST = 500

/** What is asked for as such: `PROJ-10` of `Where is PROJ-10 mentioned?` Null where the question is another one. */
export const spokenOf = (question: string): string | null => {
  if (question.length > LONGEST) return null
  for (const pattern of PATTERNS) {
    const thing = pattern.exec(question)?.[1]
    if (thing !== undefined) return thing
  }
  return null
}
