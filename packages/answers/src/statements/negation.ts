/**
 * Whether a statement negates what its quotes affirm, or the reverse. The scope of a negation is its clause, as in
 * NegEx: the words after it, or those before it if it ends the clause.
 */

const NEGATIONS = new Set(
  `no not never none neither nor nobody nothing nowhere cannot without except unless hardly barely n't
  nicht kein keine keinen keinem keiner keines nie niemals niemand nichts ohne weder außer kaum
  pas jamais aucun aucune rien sans ni sauf
  nunca jamás ningún ninguno ninguna nada nadie sin tampoco excepto
  não nem nenhum nenhuma sem
  non nessuno nessuna niente senza
  niet geen nooit niemand niets zonder
  не нет ни никогда никто ничего без кроме`.split(/\s+/)
)

/** In scripts without spaces a negation is part of a word. */
const NEGATED_CHARACTERS =
  /[没沒勿莫]|不(?![同过過断斷仅僅但错錯])|[无無](?![料线線论論])|未(?![来來])|非(?!常)|ない|ません|なかっ|ずに|않|없|못|아니/u

/** They make no claim that could be negated. */
const MINOR = new Set(
  `a an the and or of to in on at by for from with as is are was were be been being has have had do does did can could
  will would shall should may might must it its this that these those there they you your we our i he she any all some
  only also such than then if when so into per via
  der die das den dem des ein eine einen einem einer und oder von zu im in am an auf für mit bei aus ist sind war waren
  wird werden wurde wurden kann können darf dürfen hat haben es sie er wir man
  le la les un une des du de et ou à au aux en est sont était être a ont il elle on nous vous ne que qui pour par
  el los las una unos unas y o del al es son fue ser ha han se lo que para por con`.split(/\s+/)
)

/** Words that deny without a negation, in the beginnings of English, German, French and Spanish ones. */
const DENIAL =
  /^(?:forb|prohibit|exclu|disallow|refus|deny|deni|lack|fail|absen|prevent|reject|verb[io]t|verwehr|ausgeschl|fehl|interdi|prohib)/u

/** Words behind a negation that it reaches; a preposition reaches only the next words. */
const REACH = 5
const PREPOSITIONS = new Set(
  "without except unless ohne außer sans sauf sin excepto sem senza zonder без кроме".split(" ")
)
const reachOf = (negation: string): number => PREPOSITIONS.has(negation) ? 3 : REACH

const PREFIXES = ["un", "in", "im", "ir", "il", "non", "dis", "mis"]

interface Word {
  readonly stem: string
  readonly isNegated: boolean
  /** Of two words that say the opposite, one has the other's with another sign; 0 for most words. */
  readonly pole: number
}

interface Clause {
  readonly words: ReadonlyArray<Word>
  /** A statement may have a thousand words, and so may its quote. */
  readonly byStem: ReadonlyMap<string, ReadonlyArray<Word>>
  readonly hasNegation: boolean
}

/** The beginnings of words that say the opposite of each other. */
const OPPOSITES: ReadonlyArray<readonly [RegExp, RegExp]> = [
  [
    /^(?:allow|permi|erlaub|gestatt|autoris|разреш)/u,
    /^(?:forb|prohib|disallow|bann|verb[io]t|untersag|interdi|запре)/u
  ],
  [/^(?:enabl|activ|aktiv|включ)/u, /^(?:disabl|deactiv|deaktiv|désactiv|desactiv|отключ)/u],
  [/^(?:inclu|enthal)/u, /^(?:exclu|ausgeschl)/u],
  [/^(?:pass|succe)/u, /^fail/u],
  [/^(?:open|geöffnet|ouv[er]|abiert)/u, /^(?:clos|geschlossen|ferm|cerrad)/u],
  [/^(?:add|introduc)/u, /^(?:drop|remov)/u],
  [/^(?:accept|akzept)/u, /^(?:reject|refus|abgelehn)/u],
  [/^(?:increas|ris|rose$|gr[eo]w)/u, /^(?:decreas|declin|fall|fell$)/u],
  [/^(?:mandator|require|obligator|erforderlich)/u, /^(?:option|facultati)/u]
]

const poleOf = (word: string): number => {
  const at = OPPOSITES.findIndex((sides) => sides.some((side) => side.test(word)))
  return at < 0 ? 0 : OPPOSITES[at]![0].test(word) ? at + 1 : -(at + 1)
}

/** Enough to make the forms of a word alike. */
const stem = (word: string): string =>
  word.length <= 4 ? word.replace(/(?<=\p{L}{3})e$/u, "") : word.replace(/(?:ing|ed|es|s|en|er|e|n|t)$/u, "")

const clause = (text: string): Clause => {
  const words = text.toLowerCase().normalize("NFC").replace(/[’‘]/g, "'").replace(/can't/g, "can not")
    .replace(/won't/g, "will not").replace(/n't/g, " not").match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const negations = words.flatMap((word, index) => NEGATIONS.has(word) ? [index] : [])
  const isContent = (word: string) => !NEGATIONS.has(word) && !MINOR.has(word)
  const last = words.findLastIndex(isContent)
  const reached = (negation: number, index: number) =>
    last > negation ? index > negation && index <= negation + reachOf(words[negation]!) : index < negation
  const content = words.flatMap((word, index): ReadonlyArray<Word> =>
    isContent(word)
      ? [{
        stem: stem(word),
        isNegated: negations.some((negation) => reached(negation, index)),
        pole: poleOf(word)
      }]
      : []
  )
  return {
    words: content,
    byStem: Map.groupBy(content, ({ stem }) => stem),
    hasNegation: negations.length > 0 || NEGATED_CHARACTERS.test(text)
  }
}

/** A line break inside a paragraph ends no clause, in a block quote either. */
const unwrapped = (text: string): string =>
  text.replace(/^[ \t]*(?:>[ \t]?)+/gm, "").replace(/\n(?!\s*(?:\n|[-*+•|#]|\d+[.)]))/g, " ")

const clausesOf = (text: string): ReadonlyArray<Clause> =>
  unwrapped(text).split(/[.!?;:,\n|。！？；，、]|\s[-–—]\s|\s(?:but|aber|sondern|mais|pero|sino|mas|ma|maar|но)\s/iu)
    .map(clause)
    .filter(({ hasNegation, words }) => words.length > 0 || hasNegation)

const equal = ({ stem }: Word, { byStem }: Clause): ReadonlyArray<Word> => byStem.get(stem) ?? []

/** "unavailable" says of "available" what "not available" says. */
const opposite = ({ pole, stem }: Word, { byStem, words }: Clause): ReadonlyArray<Word> => [
  ...PREFIXES.flatMap((prefix) => [
    ...byStem.get(prefix + stem) ?? [],
    ...(stem.startsWith(prefix) ? byStem.get(stem.slice(prefix.length)) ?? [] : [])
  ]),
  ...(pole === 0 ? [] : words.filter((other) => other.pole === -pole))
]

const overlap = (left: Clause, right: Clause): number =>
  left.words.filter((word) => equal(word, right).length > 0 || opposite(word, right).length > 0).length

const denies = (clause: Clause, other: Clause): boolean =>
  clause.hasNegation ||
  clause.words.some(({ stem }) => DENIAL.test(stem) && !other.byStem.has(stem))

/** "not open" beside "closed". */
const restates = (claim: Clause, proof: Clause): boolean =>
  claim.words.some((left) => opposite(left, proof).some((right) => right.isNegated !== left.isNegated))

/** A proof with a word both negated and not says nothing against either. */
const contradicts = (claim: Clause, proof: Clause): boolean => {
  if ((denies(claim, proof) && denies(proof, claim)) || restates(claim, proof)) return false
  return claim.words.some((left) => {
    const [same, other] = [equal(left, proof), opposite(left, proof)]
    return same.length + other.length > 0 &&
      same.every(({ isNegated }) => isNegated !== left.isNegated) &&
      other.every(({ isNegated }) => isNegated === left.isNegated)
  })
}

/** The pairs of characters of a clause, without those that negate. */
const pairsOf = (clause: string): ReadonlySet<string> => {
  const characters = [...clause.replace(new RegExp(NEGATED_CHARACTERS, "gu"), "").replace(/[\s\p{P}]/gu, "")]
  return new Set(characters.slice(1).map((character, at) => characters[at]! + character))
}

const unspacedClauses = (text: string) =>
  text.split(/[.!?;:,\n|。！？；，、]/u)
    .filter((clause) => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]/u.test(clause))
    .map((clause) => ({ isNegated: NEGATED_CHARACTERS.test(clause), pairs: pairsOf(clause) }))

/** Whether a clause is denied by each of those that share the most pairs of characters with it, and two thirds of its own. */
const contradictsUnspaced = (statement: string, proof: string): boolean => {
  const proofs = unspacedClauses(proof)
  return unspacedClauses(statement).some(({ isNegated, pairs }) => {
    const overlaps = proofs.map((proof) => [...pairs].filter((pair) => proof.pairs.has(pair)).length)
    const most = overlaps.reduce((one, other) => Math.max(one, other), 0)
    return most > pairs.size * 2 / 3 &&
      proofs.every((proof, at) => overlaps[at]! < most || proof.isNegated !== isNegated)
  })
}

/** A question affirms nothing, and the answer behind it may deny it. */
const withoutQuestions = (text: string): string =>
  text.split(/(?<=[.!?。！？\n])/).filter((sentence) => !/[?？]$/.test(sentence)).join("")

/** Each clause of a statement is compared with the clauses of the proof that are most like it. */
export const negates = (statement: string, proof: string): boolean => {
  const proofs = clausesOf(withoutQuestions(proof))
  return contradictsUnspaced(statement, proof) || clausesOf(statement).some((claim) => {
    const overlaps = proofs.map((proof) => overlap(claim, proof))
    const most = overlaps.reduce((one, other) => Math.max(one, other), 0)
    const closest = proofs.filter((_, at) => overlaps[at] === most)
    // A clause that shares no more than half of the words may say something else.
    return most > claim.words.length / 2 && closest.every((proof) => contradicts(claim, proof))
  })
}
