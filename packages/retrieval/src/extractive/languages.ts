/**
 * What of a question and of its answer depends on its language, where that is not English. A language is one entry;
 * patterns are matched against text in small letters without accents, so that `Cuando` asks what `Cuándo` asks.
 */
import type { QuestionKind } from "./questionKind.ts"
import { STOP_WORDS } from "../text/stopWords.ts"
import { termOf, visitWords } from "../text/words.ts"

export interface Language {
  /** The first that matches. */
  readonly kinds: ReadonlyArray<readonly [QuestionKind, RegExp]>
  /** Terms that carry no subject. */
  readonly small: ReadonlySet<string>
  /** Terms that a sum of money says by itself. */
  readonly priced: ReadonlySet<string>
  /** What is counted, in the first group. */
  readonly counted: RegExp
  /** Who does it: the verb, in the first group. */
  readonly doer: RegExp
  /** By which the forms of a word differ; the longest first. */
  readonly endings: ReadonlyArray<string>
  /** The very words that tell a place or a person, in text as it is written. */
  readonly where: RegExp
  readonly who: RegExp
  readonly because: RegExp
  readonly negated: RegExp
  readonly depends: RegExp
  readonly yes: string
  readonly no: string
}

const terms = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/u).map(termOf))

const place = (prepositions: string, articles: string, noun: string): RegExp =>
  new RegExp(`(?<!\\p{L})(?:${prepositions})(?:\\s+(?:${articles}))?\\s+${noun}`, "gu")

const NAMED = "\\p{Lu}[\\p{L}\\p{M}'\\u2019-]*(?:\\s+(?:(?:von|de|del|du|la)\\s+)?\\p{Lu}[\\p{L}\\p{M}'\\u2019-]*){0,3}"

const GERMAN: Language = {
  kinds: [
    ["times", /\bwie oft\b/u],
    ["duration", /\bwie (?:lange|alt)\b/u],
    [
      "price",
      /\bwie ?viel\b.*\b(?:kostet|kosten|zahlt|zahlen|bezahlt|bezahlen|verdient)\b|\bwie (?:teuer|hoch)\b.*\b(?:preis|miete|gebuhr|kosten|rechnung)\b|\bwie teuer\b|\bwas kost/u
    ],
    ["amount", /\bwie ?viele?\b|\bwie (?:hoch|gro(?:ss|ß)|weit|breit|tief|schnell|schwer)\b/u],
    ["when", /\bwann\b|\bwie viel uhr\b|\bwelche[mnrs]? (?:tag|datum|jahr|monat)\b/u],
    ["where", /\b(?:wo|wohin|woher)\b|\bwelche[mnrs]? (?:raum|zimmer|ort|stadt|land|stockwerk)\b/u],
    ["reason", /\b(?:warum|wieso|weshalb)\b/u],
    ["who", /\b(?:wer|wem|wen|wessen)\b/u],
    [
      "yes_no",
      /^\W*(?:ist|sind|war|waren|hat|haben|hatte|hatten|kann|konnen|darf|durfen|muss|mussen|soll|sollen|wird|werden|wurde|wurden|gibt|kommt|kommen)\b/u
    ]
  ],
  small: terms(
    `der die das den dem des ein eine einen einem einer eines und oder aber in im an am auf bei beim für mit von vom zu
    zum zur nach aus um über unter durch gegen ohne bis ist sind war waren wird werden wurde wurden hat haben hatte
    hatten kann können darf dürfen muss müssen soll sollen ich du er sie es wir ihr man mich mir dich dir uns euch sich
    mein meine dein deine sein seine ihre unser unsere euer eure nicht kein keine keinen dass ob als wie so auch noch nur
    schon es gibt denn eigentlich viel viele wieviel wann wo woher wohin wer wem wen wessen was warum wieso weshalb
    welche welcher welches welchen welchem oft lange teuer hoch`
  ),
  priced: terms("kostet kosten preis zahlt zahlen bezahlt bezahlen geld"),
  counted: /\bwie ?viele? (\w+)/u,
  doer: /\bwer (?:\w+ )??(\w+)/u,
  endings: "ern em en er es e n s".split(" "),
  where: place(
    "[Ii]n|[Ii]m|[Aa]m|[Aa]n|[Aa]uf|[Bb]eim?|[Hh]inter|[Uu]nter|[Nn]eben|[Nn]ach|[Aa]us|[Vv]or|[Vv]om|[Vv]on|[Zz]wischen|[Üü]ber",
    "der|die|das|den|dem|einer|einem|einen",
    "(?:\\p{Ll}+en\\s+)?[\\p{Lu}\\d][\\p{L}\\p{N}-]*(?:\\s+\\p{Lu}[\\p{L}-]*)*"
  ),
  // Any noun has a capital; what has an article before it is mostly no name.
  who: new RegExp(
    `(?<!(?:\\b(?:der|die|das|den|dem|des|ein|eine|einen|einem|einer|eines|im|am|beim|vom|zum|zur|kein|keine|keinen|viele|alle|\\p{L}+er|\\p{L}+en) |\\d ))${NAMED}`,
    "gu"
  ),
  because: /\b(?:weil|denn|da|deshalb|deswegen|darum|daher|wegen|damit|grund|aufgrund|ursache)\b/u,
  negated: /\b(?:nicht|kein(?:e[nmrs]?)?|nie|niemals|niemand|nichts|ohne|weder)\b/u,
  depends: /\b(?:nur|wenn|falls|ausser|außer|ob|vielleicht|moglicherweise|eventuell|konnte|sollte)\b/u,
  yes: "Ja",
  no: "Nein"
}

const FRENCH: Language = {
  kinds: [
    ["times", /\bcombien de fois\b/u],
    ["duration", /\bcombien de temps\b|\bquel age\b/u],
    ["price", /\bcombien\b.*\b(?:cout\w*|pa[iy]\w*|vaut|valent)\b|\bquel est (?:le prix|le tarif|le loyer|le cout)\b/u],
    ["amount", /\bcombien\b|\bquel(?:le)? est (?:le nombre|la taille|la hauteur)\b/u],
    ["when", /\bquand\b|\bquelle (?:heure|date|annee)\b|\bquel (?:jour|mois)\b/u],
    ["where", /^\W*(?:d'|par |vers )?ou\b|\bquel(?:le)? (?:salle|ville|pays|lieu|endroit|etage)\b/u],
    ["reason", /\bpourquoi\b/u],
    ["who", /^\W*(?:(?:a|de|avec|chez|pour|par) )?qui\b|\bqui est-ce\b/u],
    ["yes_no", /^\W*est-ce qu|\by a-t-il\b|\b\w+-(?:t-)?(?:il|elle|on|ils|elles|vous|nous|je|tu)\b/u]
  ],
  small: terms(
    `le la les l un une des du de d et ou mais à au aux en dans sur sous pour par avec sans chez est sont était étaient
    a ont avait sera seront fait être avoir je tu il elle on nous vous ils elles me te se s y ce cet cette ces ça c mon
    ma mes ton ta tes son sa ses notre nos votre vos leur leurs que qu qui quoi ne n pas plus t quand où quel quelle
    quels quelles comment pourquoi combien fois temps aura auront lieu`
  ),
  priced: terms("coûte coûtent coûter coûtera coûté prix tarif paie paient paye payent payer vaut"),
  counted: /\bcombien (?:de |d')(\w+)/u,
  doer: /\bqui (?:va |a |doit |peut )?(\w+)/u,
  endings: "ees ee es ent er ez ra e s x".split(" "),
  where: place(
    "[Dd]ans|[Ee]n|[Aa]u|[Aa]ux|[Àà]|[Cc]hez|[Ss]ur|[Ss]ous|[Dd]errière|[Dd]evant|[Vv]ers|[Pp]rès de|[Àà] côté de|[Dd]epuis",
    "le|la|les|un|une|notre|votre",
    "(?:l['\\u2019])?\\p{L}[\\p{L}\\p{N}'\\u2019-]*(?:\\s+(?:de|des|du|d['\\u2019])\\s*(?:la\\s+)?[\\p{L}-]+|\\s+\\p{Lu}[\\p{L}-]*)*"
  ),
  who: new RegExp(NAMED, "gu"),
  because: /\b(?:parce qu|puisqu|car|afin|a cause|grace a|raison|en raison|faute de|donc)/u,
  negated: /\b(?:pas|jamais|aucune?|sans|rien|personne|ni)\b/u,
  depends: /\b(?:seulement|uniquement|si|sauf|peut-etre|probablement|pourrait|devrait)\b/u,
  yes: "Oui",
  no: "Non"
}

const SPANISH: Language = {
  kinds: [
    ["times", /\bcuantas veces\b/u],
    ["duration", /\bcuanto tiempo\b|\bcuanto (?:dura|tarda)n?\b|\bcada cuanto\b/u],
    ["price", /\bcuanto (?:\w+ )?(?:cuest\w*|val\w*|pag\w*|cobr\w*)\b|\b(?:que|cual es el) precio\b/u],
    ["amount", /\bcuant[oa]s?\b/u],
    ["when", /\bcuando\b|\bque (?:hora|dia|fecha|ano|mes)\b/u],
    ["where", /\b(?:a|de)?donde\b|\bque (?:sala|ciudad|pais|lugar|piso)\b/u],
    ["reason", /\bpor que\b/u],
    ["who", /\bquien(?:es)?\b/u],
    [
      "yes_no",
      /^\W*(?:es|son|esta|estan|hay|habra|tiene|tienen|puede|pueden|se puede|se pueden|hace|va|van|viene|vienen|fue|ha|han)\b/u
    ]
  ],
  small: terms(
    `el la los las un una unos unas de del al a y o u e en con por para sin sobre es son era está están fue hay ha han
    ser estar tiene tienen se me te le les nos lo su sus mi mis tu tus nuestro nuestra que qué quien quién quiénes como
    cómo no sí más muy este esta estos estas ese esa eso cuando cuándo donde dónde adónde cuánto cuánta cuántos cuántas
    cuál cuáles veces puede pueden`
  ),
  priced: terms("cuesta cuestan costar costará precio vale valen paga pagan pagar cobra cobran"),
  counted: /\bcuant[oa]s (\w+)/u,
  doer: /\bquien(?:es)? (?:va a |ha |puede |debe )?(\w+)/u,
  endings: "os as es an en o a e s n".split(" "),
  where: place(
    "[Ee]n|[Aa]l?|[Dd]etrás del?|[Dd]ebajo del?|[Bb]ajo|[Ss]obre|[Cc]erca del?|[Dd]esde|[Hh]acia|[Jj]unto al?|[Dd]el?",
    "el|la|los|las|un|una|nuestra|nuestro",
    "\\p{L}[\\p{L}\\p{N}-]*(?:\\s+(?:de|del)\\s+(?:la\\s+)?[\\p{L}-]+|\\s+\\p{Lu}[\\p{L}-]*)*"
  ),
  who: new RegExp(NAMED, "gu"),
  because: /\b(?:porque|ya que|debido|para que|por eso|a causa|gracias a|razon|motivo|pues)\b/u,
  negated: /\b(?:no|nunca|jamas|ningun\w*|sin|nadie|nada|tampoco)\b/u,
  depends: /\b(?:solo|solamente|si|salvo|excepto|quizas?|tal vez|podria|deberia)\b/u,
  yes: "Sí",
  no: "No"
}

const LANGUAGES: ReadonlyArray<Language> = [GERMAN, FRENCH, SPANISH]

/** In small letters, without accents. */
export const folded = (text: string): string =>
  text.normalize("NFKD").replaceAll(/\p{M}/gu, "").replaceAll("\u2019", "'").toLowerCase()

const ENGLISH: ReadonlySet<string> = new Set([...STOP_WORDS].map(termOf))

const smallWordsIn = (text: string, small: ReadonlySet<string>): number => {
  let count = 0
  visitWords(text, (start, end) => {
    if (small.has(termOf(text.slice(start, end)))) count++
  })
  return count
}

/** What a question of that length is written in is seen in its beginning. */
const SEEN = 500

const tell = (question: string): Language | null => {
  const begin = question.slice(0, SEEN)
  const [best] = LANGUAGES
    .map((language) => ({
      language,
      count: smallWordsIn(begin, language.small) + smallWordsIn(begin, language.priced)
    }))
    .sort((left, right) => right.count - left.count)
  return best!.count > smallWordsIn(begin, ENGLISH) ? best!.language : null
}

/** One question is looked at from many sides. */
let last: readonly [question: string, language: Language | null] = ["", null]

/** Null for English, and where nothing tells. */
export const languageOf = (question: string): Language | null => {
  if (last[0] !== question) last = [question, tell(question)]
  return last[1]
}

/** The terms that differ from one in the ending only. */
export const inflected = (term: string, { endings }: Language): ReadonlyArray<string> => {
  const ending = endings.find((one) => term.endsWith(one) && term.length - one.length >= 4) ?? ""
  const stem = term.slice(0, term.length - ending.length)
  return stem.length < 4 ? [term] : ["", ...endings].map((one) => stem + one)
}
