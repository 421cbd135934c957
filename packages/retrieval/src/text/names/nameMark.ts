/** Begins a term that is a name as it is written, beside those of its words; no word begins with it. */
export const NAME_MARK = "\u0001"
