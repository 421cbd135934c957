/** What the people of a youth hostel near a border write in German, French and Spanish, and what is asked about it. */
import { mail, message, page, type Written } from "./written.ts"

export const DOCUMENTS: ReadonlyArray<Written> = [
  page(
    "hausordnung",
    "2026-01-10T09:00:00Z",
    "Hausordnung",
    `Die Nachtruhe beginnt um 22 Uhr. Haustiere sind nicht erlaubt.

| Raum | Stockwerk | Betten |
| --- | --- | --- |
| Adler | 1 | 6 |
| Falke | 2 | 8 |
| Eule | 2 | 4 |

Der Schlüssel für den Skikeller hängt hinter der Theke.`
  ),
  page(
    "reglement",
    "2026-01-10T09:30:00Z",
    "Renseignements pratiques",
    `Le petit déjeuner est servi de 7 h 30 à 9 h dans la salle des fêtes. La nuit coûte 38 euros par personne.

Les vélos se rangent dans le garage. Le wifi est gratuit.`
  ),
  page(
    "guia",
    "2026-01-11T09:00:00Z",
    "Información para grupos",
    `El albergue tiene 54 camas. Los grupos pagan 25 euros por persona y noche.

La cocina está en el sótano. Se puede usar hasta las 21:00.`
  ),
  mail(
    "schule",
    "2026-03-02T10:00:00Z",
    "brandl@gymnasium-trier.example",
    "info@hostel.example",
    "Klassenfahrt",
    "Guten Tag, wir kommen am 11. Mai mit 27 Schülern und zwei Lehrern. Drei Schüler essen kein Fleisch. Viele Grüße, Sabine Brandl"
  ),
  mail(
    "schule-2",
    "2026-03-08T10:00:00Z",
    "brandl@gymnasium-trier.example",
    "info@hostel.example",
    "AW: Klassenfahrt",
    "Guten Tag, leider müssen wir verschieben: wir kommen erst am 18. Mai. Viele Grüße, Sabine Brandl"
  ),
  mail(
    "plombier",
    "2026-03-06T09:00:00Z",
    "contact@plomberie-weber.example",
    "info@hostel.example",
    "Réparation de la chaudière",
    "Bonjour, Luc Weber réparera la chaudière le 24 mars à 8 h. La réparation coûtera 640 euros."
  ),
  message("team-1", "2026-03-09T08:00:00Z", "#team", "Anke", "Der Bus nach Metz fährt ab April um 9:40."),
  message("team-2", "2026-03-09T09:00:00Z", "#team", "Claire", "C'est Mathilde qui remplace Anke jeudi."),
  message("team-3", "2026-03-09T10:00:00Z", "#team", "Inés", "El jueves cerramos la cocina porque viene el inspector."),
  message(
    "team-4",
    "2026-03-09T11:00:00Z",
    "#team",
    "Anke",
    "Die Waschmaschine im Keller ist kaputt, weil die Pumpe verstopft ist."
  ),
  message("team-5", "2026-03-09T12:00:00Z", "#team", "Inés", "Pilar compra las sábanas nuevas en Saarbrücken.")
]

export const ANSWERED: ReadonlyArray<readonly [question: string, says: RegExp, document: string]> = [
  ["Wann beginnt die Nachtruhe?", /22 Uhr/, "hausordnung"],
  ["Sind Haustiere erlaubt?", /nicht erlaubt/, "hausordnung"],
  ["Wie viele Betten hat der Raum Falke?", /Betten: 8/, "hausordnung"],
  ["Wo hängt der Schlüssel für den Skikeller?", /hinter der Theke/, "hausordnung"],
  ["Wie viele Schüler kommen zur Klassenfahrt?", /27 Schüler/, "schule"],
  ["Wer kommt auf Klassenfahrt?", /Sabine Brandl/, "schule-2"],
  ["Wann fährt der Bus nach Metz?", /9:40/, "team-1"],
  ["Warum ist die Waschmaschine kaputt?", /Pumpe/, "team-4"],
  ["Combien coûte la nuit ?", /38 euros/, "reglement"],
  ["Où se rangent les vélos ?", /garage/, "reglement"],
  ["Quand Luc Weber réparera-t-il la chaudière ?", /24 mars/, "plombier"],
  ["Qui remplace Anke ?", /Mathilde/, "team-2"],
  ["Est-ce que le wifi est gratuit ?", /gratuit/, "reglement"],
  ["¿Cuántas camas tiene el albergue?", /54 camas/, "guia"],
  ["¿Dónde está la cocina?", /sótano/, "guia"],
  ["¿Cuánto pagan los grupos?", /25 euros/, "guia"],
  ["¿Quién compra las sábanas?", /Pilar/, "team-5"],
  ["¿Por qué cerramos la cocina el jueves?", /inspector/, "team-3"]
]

export const UNANSWERED: ReadonlyArray<string> = [
  "Wann beginnt das Frühstück am Sonntag?",
  "Wie viele Lehrer schlafen im Raum Adler?",
  "Wer repariert die Waschmaschine?",
  "Was kostet der Skikeller?",
  "Wo wohnt Sabine Brandl?",
  "Combien coûte le parking ?",
  "Qui paie la réparation de la chaudière ?",
  "Où est né Luc Weber ?",
  "Quand remplace-t-on les vélos ?",
  "¿Cuánto cuesta el desayuno?",
  "¿Quién limpia la cocina?",
  "¿Dónde vive Pilar?",
  "¿Cuándo llega el inspector de incendios?"
]
