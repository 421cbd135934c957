import { assert, describe, it } from "@effect/vitest"
import { completeQuery } from "../../src/search/query/completeQuery.ts"
import { parseQuery, readIn } from "../../src/search/query/Query.ts"
import { snippet } from "../../src/search/snippet.ts"
import { statisticsOf } from "../../src/search/statistics.ts"
import { ENGLISH, ENGLISH_ALONE, languageOf, LANGUAGES } from "../../src/text/languages.ts"
import { termIn, visitWords } from "../../src/text/words.ts"
import { document, idOf, search, segmentOf } from "../support/segments.ts"

const GERMAN = LANGUAGES[1]!
const FRENCH = LANGUAGES[2]!
const SPANISH = LANGUAGES[3]!
const SWEDISH = LANGUAGES[7]!
const HUNGARIAN = LANGUAGES[12]!
const TURKISH = LANGUAGES[13]!
const INDONESIAN = LANGUAGES[14]!

const TEXTS = {
  english: "The files of the team are kept in the archive, and it is closed on Sundays.",
  german: "Die Dateien werden in den Häusern der Stadt aufbewahrt, und sie sind nicht für alle.",
  french: "Les journaux sont dans les archives de la ville, et ils ne sont pas pour tous.",
  spanish: "Las páginas del año están en los archivos de la ciudad, pero no son para todos.",
  russian: "Документы хранятся в архиве города, и они не для всех.",
  japanese: "会議の資料は東京都庁舎の情報管理室に保管されています。",
  chinese: "操作系统的安装说明保存在资料室里。",
  korean: "HTML문서에서 저장한 그림은 자료실에 보관합니다."
}

const all = segmentOf(Object.values(TEXTS).map((text, at) => document(at, [text])))

const numberOf = (language: keyof typeof TEXTS): number => Object.keys(TEXTS).indexOf(language)

const findsFirst = (query: string, language: keyof typeof TEXTS) =>
  assert.strictEqual(search([all], query)[0]?.documentId, idOf(numberOf(language)), query)

describe("the language of a text", () => {
  it("is detected by its stop words", () => {
    assert.strictEqual(languageOf([TEXTS.english]), ENGLISH)
    assert.strictEqual(languageOf([TEXTS.german]), GERMAN)
    assert.strictEqual(languageOf([TEXTS.french]), FRENCH)
    assert.strictEqual(languageOf([TEXTS.spanish]), SPANISH)
    assert.strictEqual(languageOf(["A fájlok a mappában vannak, és ez nem a tiéd, hanem az övék."]), HUNGARIAN)
    assert.strictEqual(languageOf(["Dosyalar bu klasörde ve bunlar senin değil, ama daha çok onlar için."]), TURKISH)
    assert.strictEqual(
      languageOf(["Berkas ada di dalam folder ini, dan itu bukan untuk mereka yang lain."]),
      INDONESIAN
    )
  })

  it("is English if there is little evidence", () => {
    for (
      const text of ["", "Budget 2026", "x".repeat(10_000), TEXTS.russian, TEXTS.japanese, "Perlis, A. J., E. Y. Lo"]
    ) {
      assert.strictEqual(languageOf([text]), ENGLISH, text)
    }
  })

  it("is stored in a segment, once for all its documents", () => {
    assert.strictEqual(segmentOf([document(1, [TEXTS.english])]).segment.languages, ENGLISH_ALONE)
    assert.deepStrictEqual([0, 1, 2].map((number) => all.segment.languageOf(number)), [0, 1, 2])
    assert.strictEqual(all.segment.languages, 0b1111)
  })
})

describe("the term of a word in a language", () => {
  it("is its stem, with or without umlauts", () => {
    for (const word of ["Häuser", "haeuser", "HÄUSERN", "Haus"]) {
      assert.strictEqual(termIn(GERMAN, word), termIn(GERMAN, "haus"), word)
    }
    assert.strictEqual(termIn(FRENCH, "journaux"), termIn(FRENCH, "journal"))
    assert.strictEqual(termIn(ENGLISH, "документами"), termIn(ENGLISH, "документы"))
  })

  it("is the same for all forms of a word", () => {
    const forms = [
      [HUNGARIAN, "fájl fájlok fájlokat FÁJL"],
      [TURKISH, "kitap kitaplar kitabı KİTAPLARI"],
      [INDONESIAN, "simpan menyimpan disimpan"],
      [ENGLISH, "доступен доступна доступный доступными"],
      [ENGLISH, "включён включена включены включённый включение"],
      [ENGLISH, "уровень уровня уровней"],
      [ENGLISH, "цена цены цен ценой"],
      [ENGLISH, "άνθρωπος ανθρώπου άνθρωποι ΑΝΘΡΩΠΟΣ"],
      [ENGLISH, "كتاب الكتاب كتابهم كِتَاب"],
      [ENGLISH, "கோப்பு கோப்புகள் கோப்புகளை"]
    ] as const
    for (const [language, words] of forms) {
      const terms = new Set(words.split(" ").map((word) => termIn(language, word)))
      assert.strictEqual(terms.size, 1, `${words}: ${[...terms].join(" ")}`)
    }
    assert.strictEqual(termIn(ENGLISH, "µs"), termIn(ENGLISH, "μs"))
  })

  it("is never a single letter of a longer word", () => {
    assert.strictEqual(termIn(TURKISH, "bine").slice(0, 4), "bine")
  })

  it("is the same with and without a fleeting vowel in Russian", () => {
    for (const [one, other] of [["список", "списка"], ["столбец", "столбцы"], ["окон", "окна"], ["ячеек", "ячейка"]]) {
      assert.strictEqual(termIn(ENGLISH, one!), termIn(ENGLISH, other!), one)
    }
    assert.notStrictEqual(termIn(ENGLISH, "тень"), termIn(ENGLISH, "тон"))
  })

  it("never equals that of another word in English", () => {
    assert.notStrictEqual(termIn(FRENCH, "notes"), termIn(ENGLISH, "not"))
  })

  it("keeps the distinct letters of the language", () => {
    assert.notStrictEqual(termIn(SPANISH, "año"), termIn(SPANISH, "ano"))
    assert.notStrictEqual(termIn(SWEDISH, "får"), termIn(SWEDISH, "far"))
    assert.strictEqual(termIn(SPANISH, "página"), termIn(SPANISH, "pagina"))
  })

  it("is the word itself if it has digits, in every language", () => {
    for (const language of LANGUAGES) assert.strictEqual(termIn(language, "B52s"), "b52s")
  })
})

describe("a search in a workspace of several languages", () => {
  it("finds other forms of a word in the document's language", () => {
    findsFirst("file", "english")
    findsFirst("Welche Datei?", "german")
    findsFirst("Haus", "german")
    findsFirst("journal", "french")
    findsFirst("pagina", "spanish")
    findsFirst("документ", "russian")
  })

  it("finds parts of long words in scripts without spaces", () => {
    findsFirst("管理", "japanese")
    findsFirst("情報", "japanese")
    findsFirst("系统", "chinese")
  })

  it("finds Korean words without their particles, joined to others, and stored letter by letter", () => {
    for (const query of ["문서", "문서를", "그림", "자료", "문서".normalize("NFD")]) findsFirst(query, "korean")
    const [first] = search([all], "HTML")
    assert.strictEqual(first?.documentId, idOf(numberOf("korean")))
    assert.isNotEmpty(search([segmentOf([document(1, ["漢字문서에서"])])], "문서"))
  })

  it("drops the stop words of a script, with and without accents", () => {
    const query = parseQuery("Από που είναι το αρχείο; και το αυτός")
    assert.deepStrictEqual([...query.words], ["αρχείο"])
  })

  it("drops the question words of Chinese and Japanese whole, and not what they have in common with other words", () => {
    const queries = {
      "什么时候放弃了对 m68k 的支持？": "放弃 了 对 m68k 的 支持",
      "包含多少个软件": "包含 软件",
      "いくらで更新できるか教えてください": "更新",
      "何": "何",
      "什么时候": "什么 么时 时候"
    }
    for (const [query, words] of Object.entries(queries)) assert.strictEqual(parseQuery(query).words.join(" "), words)
    assert.isAbove(parseQuery("什么时候").weights.get("么时")!, 0)
  })

  it("drops words of its language that mean nothing, however they are typed, and none that means something", () => {
    const queries = {
      "¿Cuánto tiempo de trabajo cuenta para el valor de la cuenta?": "tiempo trabajo cuenta valor cuenta",
      "Ab wann gilt das, und seit wann wurde es pro Stunde berechnet?": "gilt pro Stunde berechnet",
      "À quoi sert la clé, et sont-elles dans la boîte ?": "sert clé boîte",
      "Wofuer ist das Fenster, und koennen wir es fuer alle oeffnen?": "Fenster oeffnen",
      "ou etes vous avec le meme dossier": "dossier"
    }
    for (const [query, words] of Object.entries(queries)) assert.strictEqual(parseQuery(query).words.join(" "), words)
  })

  it("drops the question words of its language, and keeps them for others", () => {
    const read = readIn(parseQuery("Wo sind die Dateien?"), all.segment.languages)
    assert.deepStrictEqual([...read.weights.keys()].filter((term) => term === "die" || term === "sind"), [])
    assert.isTrue(readIn(parseQuery("die casting"), all.segment.languages).weights.has("die"))
  })

  it("weighs a word once, however many languages stem it", () => {
    const query = readIn(parseQuery("Dateien der Stadt"), all.segment.languages)
    for (const { terms } of query.readings) assert.strictEqual(terms.length, query.readings[0]!.terms.length)
    assert.deepStrictEqual([...parseQuery("Dateien").weights.keys()], ["dateien"])
    assert.include([...query.weights.keys()], termIn(GERMAN, "datei"))
  })

  it("finds phrases as they are written", () => {
    const [first] = search([all], "\"les archives de la ville\"")
    assert.strictEqual(first?.documentId, idOf(numberOf("french")))
  })

  it("completes the beginning of a word", () => {
    const query = parseQuery("journa")
    const completed = completeQuery(query, "journa", statisticsOf([all], query, "journa"))
    assert.deepStrictEqual([...completed.weights.keys()], [termIn(FRENCH, "journal")])
  })
})

describe("a snippet in another language", () => {
  const marked = (text: string, query: string) => {
    const shown = snippet(text, readIn(parseQuery(query), all.segment.languages))
    return shown.highlights.map(([start, end]) => shown.text.slice(start, end))
  }

  it("highlights every form of the words", () => {
    assert.deepStrictEqual(marked(TEXTS.german, "Datei Haus"), ["Dateien", "Häusern"])
    assert.deepStrictEqual(marked(TEXTS.russian, "документами"), ["Документы"])
  })

  it("highlights overlaps once", () => {
    assert.deepStrictEqual(marked("情報管理室です", "情報管理室").join(""), "情報管理室")
  })
})

describe("emoji", () => {
  it("are words, whatever their skin tone", () => {
    const part = segmentOf([document(1, ["Shipped 🚀"]), document(2, ["Agreed 👍🏽"])])
    assert.deepStrictEqual(search([part], "🚀").map(({ documentId }) => documentId), [idOf(1)])
    assert.deepStrictEqual(search([part], "👍").map(({ documentId }) => documentId), [idOf(2)])
    let count = 0
    visitWords("© 2026 ™", () => count++)
    assert.strictEqual(count, 1)
  })
})
