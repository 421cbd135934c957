/** Words that carry a question rather than its subject. Indexed like any other, and dropped from a query that has more. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  ("a an and are as at be but by for if in into is it no not of on or such that the their then there these they this " +
    "to was will with what when where which who whom whose why how did do does doing done has have had having can " +
    "could would should may might shall must i me my we us our you your he him his she her its them am were been " +
    "being about any some so than too very from all also just t d m ll re ve don tell please much many").split(" ")
)
