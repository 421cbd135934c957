/** English words that are spelled in two ways: `organise` and `organize`, `colour` and `color`, `centre` and `center`. */

const DIFFERENCES: ReadonlyArray<readonly [place: RegExp, british: string, american: string]> = [
  [/(?<=\w\w\w[iy])[sz](?=(?:e[ds]?|ing|ers?|ations?|able)$)/, "s", "z"],
  [/(?<=\w\w\w)ou?r(?=(?:s|ed|ing|ful|less|able|al|ites?|hoods?)?$)/, "our", "or"],
  [/(?<=cent|theat|fib|lit|met|calib)(?:re|er)(?=s?$)/, "re", "er"],
  [/(?<=\w\w[aoy]l)og(?:ue)?(?=s?$)/, "ogue", "og"],
  [/(?<=def|off|lic)en[cs](?=e[sd]?$|ing$)/, "enc", "ens"],
  [/(?<=^progra)m(?:me)?(?=s?$)/, "mme", "m"]
]

const spelled = (lower: string, spelling: 1 | 2): string => {
  const difference = DIFFERENCES.find(([place]) => place.test(lower))
  return difference === undefined ? lower : lower.replace(difference[0], difference[spelling])
}

/** Of a word in lower case; the word itself if there is one spelling. */
export const british = (lower: string): string => spelled(lower, 1)

export const american = (lower: string): string => spelled(lower, 2)
