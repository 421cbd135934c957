import { assert, describe, it } from "@effect/vitest"
import { composeAnswer } from "../src/extractive/composeAnswer.ts"
import { extractAnswer } from "../src/extractive/extractAnswer.ts"
import { languageOf } from "../src/extractive/languages.ts"
import { questionKind } from "../src/extractive/questionKind.ts"

const NOW = new Date("2026-03-10T09:00:00Z")

const tell = (query: string, text: string): string => {
  const asked = { query, now: NOW, timezone: "UTC", idf: new Map() }
  const passages = [{ title: "", text, timestamp: NOW }]
  return composeAnswer(asked, extractAnswer(asked, passages), passages)
}

describe("a question in another language", () => {
  it("asks for what its question words ask for, with and without accents", () => {
    for (
      const [question, kind] of [
        ["Wann kommt der Zug?", "when"],
        ["Wer hat den Schlüssel?", "who"],
        ["Wo ist die Küche?", "where"],
        ["Wie viele Betten hat das Zimmer?", "amount"],
        ["Was kostet der Eintritt?", "price"],
        ["Wie oft ist der Ofen ausgefallen?", "times"],
        ["Ist der Laden am Sonntag offen?", "yes_no"],
        ["Quand part le train ?", "when"],
        ["Où est la cuisine ?", "where"],
        ["Combien coûte le billet ?", "price"],
        ["Combien de lits y a-t-il ?", "amount"],
        ["Est-ce que le wifi est gratuit ?", "yes_no"],
        ["Pourquoi le magasin est-il fermé ?", "reason"],
        ["¿Cuándo sale el tren?", "when"],
        ["¿Cuantas camas hay en el albergue?", "amount"],
        ["¿Cuánto tiempo dura la visita?", "duration"],
        ["¿Quién tiene la llave?", "who"],
        ["¿Hay una cocina en el albergue?", "yes_no"]
      ] as const
    ) assert.strictEqual(questionKind(question), kind, question)
  })

  it("is not seen in English, though some words are the same", () => {
    for (const question of ["Was Ada in the office?", "Where is the die?", "Who is on call?", "Can a man come?"]) {
      assert.isNull(languageOf(question), question)
    }
  })

  it("is answered with its own yes and no, and by other forms of its words", () => {
    assert.strictEqual(
      tell("Sind Haustiere erlaubt?", "Haustiere sind nicht erlaubt."),
      "Nein. Haustiere sind nicht erlaubt. [1]"
    )
    assert.match(tell("Est-ce que le wifi est gratuit ?", "Le wifi est gratuit."), /^Oui\. /)
    assert.match(tell("¿Está abierta la cocina?", "La cocina no está abierta."), /^No\. /)
    assert.match(tell("Wie viele Schüler kommen?", "Wir kommen am 11. Mai mit 27 Schülern."), /^Wir kommen am 11\. Mai/)
  })

  it("is refused when the sentence has no place, no person, no moment and no price to tell", () => {
    for (
      const [question, text] of [
        ["Wo wohnt Sabine?", "Sabine wohnt gern allein."],
        ["Wer repariert die Waschmaschine?", "Die Waschmaschine ist kaputt."],
        ["Was kostet der Skikeller?", "Der Skikeller ist offen."],
        ["Qui paie la réparation ?", "La réparation coûtera 640 euros."],
        ["¿Cuándo limpian la cocina?", "La cocina está limpia."]
      ] as const
    ) assert.strictEqual(tell(question, text), "", question)
  })
})
