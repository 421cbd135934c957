/** Verbs that may be said of anything: an answer need not repeat them. */
import { termOf } from "../text/words.ts"

export const LIGHT_VERBS: ReadonlySet<string> = new Set(
  ("send sent get got receive received come came arrive arrived write wrote written happen happened exist go goes went " +
    "gone want wants need needs use used give gave given take took taken make made put find found know known say said " +
    "think thought see seen look work works keep kept run runs ran hold held bring brought call called").split(" ")
    .map(termOf)
)
