/** The runs of text of a Word document: which of them are hidden, and which are above the line. */
import { type DocxStyles, isOn } from "./DocxStyles.ts"

type Attribute = (name: string) => string | null

export class DocxRuns {
  readonly #styles: DocxStyles
  #isHidden = false
  /** The text is above the line. */
  isRaised = false
  /** For each open field, whether its result has started. What precedes that is an instruction. */
  readonly #fields: Array<boolean> = []
  #instructions = 0

  constructor(styles: DocxStyles) {
    this.#styles = styles
  }

  get isHidden(): boolean {
    return this.#isHidden || this.#instructions > 0
  }

  /** Properties precede the text of a run. */
  open(name: string, attribute: Attribute, paragraphStyle: string | undefined): void {
    if (name === "r") {
      this.#isHidden = this.#styles.isHidden(paragraphStyle) ?? false
      this.isRaised = false
    } else if (name === "rStyle") this.#isHidden = this.#styles.isHidden(attribute("val") ?? "") ?? this.#isHidden
    else if (name === "vanish") this.#isHidden = isOn(attribute("val"))
    else if (name === "vertAlign") this.isRaised = attribute("val") === "superscript"
    else if (name === "fldChar") this.#openField(attribute("fldCharType"))
  }

  /** An instruction without a result does not hide the text of other paragraphs. */
  endParagraph(): void {
    if (this.#instructions === 0) return
    this.#fields.length = this.#instructions = 0
  }

  #openField(type: string | null): void {
    if (type === "begin") {
      this.#fields.push(false)
      this.#instructions++
    } else if (this.#fields.length === 0) return
    else if (type === "separate" || type === "end") {
      if (this.#fields.pop() === false) this.#instructions--
      if (type === "separate") this.#fields.push(true)
    }
  }
}
