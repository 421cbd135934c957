/** The language in which a language model answers, kept in this browser. */
import { useState } from "react"

const KEY = "tributary.answer-language"

/** BCP 47 tags; any other language of the API is a matter of programs. */
const TAGS = [
  ..."ar bg bn ca cs da de el en es et fa fi fr gu he hi hr hu id it ja kn ko lt lv mr ms nb nl pa pl pt pt-BR ro ru sk"
    .split(" "),
  ..."sl sr sv sw ta te th tl tr uk ur vi zh-Hans zh-Hant".split(" ")
]

const namesIn = (locale: string) => new Intl.DisplayNames([locale], { type: "language" })

/** Tags with names, in English and in the language itself, in order of the former. */
export const LANGUAGES = TAGS
  .map((tag) => ({ tag, english: namesIn("en").of(tag) ?? tag, own: namesIn(tag).of(tag) ?? tag }))
  .sort((left, right) => left.english.localeCompare(right.english, "en"))

const kept = (): string => {
  const tag = localStorage.getItem(KEY) ?? ""
  return TAGS.includes(tag) ? tag : ""
}

/** Empty for the language of each question. */
export const useAnswerLanguage = () => {
  const [language, setLanguage] = useState(kept)
  const choose = (tag: string): void => {
    if (tag === "") localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, tag)
    setLanguage(tag)
  }
  return [language, choose] as const
}
