/** Scripts that determine the language of a word, or nearly: Ukrainian is stemmed as Russian, Persian as Arabic. */
import { stemmer as arabic } from "@orama/stemmers/arabic"
import { stemmer as greek } from "@orama/stemmers/greek"
import { stemmer as russian } from "@orama/stemmers/russian"
import { stemmer as tamil } from "@orama/stemmers/tamil"
import { stopwords as arabicWords } from "@orama/stopwords/arabic"
import { stopwords as greekWords } from "@orama/stopwords/greek"
import { stopwords as russianWords } from "@orama/stopwords/russian"
import { stopwords as tamilWords } from "@orama/stopwords/tamil"
import { foldWord } from "./folding.ts"
import { QUESTION_WORDS } from "./questionWords.ts"

/** Some forms have a vowel before the last consonant that others lack: `список`, `списка`; `окон`, `окна`. */
const FLEETING = /(?<=[^аеиоуыэюя])(?:[ео](?=[кц]$)|о(?=н$))/u

/** The same before `н` where a syllable remains: `бесплатен`, `бесплатный`; `уровень`, `уровня`. */
const FLEETING_IN_LONG = /(?<=[аеиоуыэюя][^аеиоуыэюя]{1,4})е(?=н$)/u

/** The same after a vowel, where the others have `й`, which is folded: `ячеек`, `ячейка`. */
const FLEETING_AFTER_VOWEL = /(?<=[аеоуя])е(?=к$)/u

/** The stemmer takes the end of these for that of a verb, unlike that of their long forms: `включена`, `включенная`. */
const SHORT_FORM = /(?<=[^аеиоуыэюя]ен)[аоы]?$/u

const russianStem = (lower: string): string => {
  const stem = russian(lower.replaceAll("ё", "е").replace(SHORT_FORM, "ный"))
  return foldWord(stem).replace(FLEETING, "").replace(FLEETING_IN_LONG, "").replace(FLEETING_AFTER_VOWEL, "и")
}

const folding = (stem: (folded: string) => string) => (lower: string): string => foldWord(stem(foldWord(lower)))

const STEMS: ReadonlyArray<readonly [script: RegExp, stem: (lower: string) => string]> = [
  [/^\p{Script=Cyrillic}/u, russianStem],
  [/^\p{Script=Greek}/u, folding(greek)],
  [/^\p{Script=Arabic}/u, folding(arabic)],
  [/^\p{Script=Tamil}/u, folding(tamil)]
]

/** The folded stem of a word; the folded word if its script has no stemmer. */
export const stemOfScript = (lower: string): string => {
  const folded = foldWord(lower)
  return STEMS.find(([script]) => script.test(folded))?.[1](lower) ?? folded
}

const STOP_WORDS = new Set(
  [
    russianWords,
    QUESTION_WORDS.russian,
    greekWords,
    arabicWords,
    tamilWords,
    QUESTION_WORDS.japanese,
    QUESTION_WORDS.chinese
  ].flat().map(foldWord)
)

/** Stop words of the script itself, which are dropped whatever other languages the query is in. */
export const isScriptStopWord = (word: string): boolean => STOP_WORDS.has(foldWord(word))
