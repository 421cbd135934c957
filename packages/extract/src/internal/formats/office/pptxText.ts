/** The slides of a presentation in their order, each with its notes and comments. */
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { boundedZip } from "../../boundedZip.ts"
import { Damaged } from "../../Damaged.ts"
import { extractedText } from "../../extractedText.ts"
import { HtmlBlocks } from "../HtmlBlocks.ts"
import { commentsOf, peopleIn } from "./comments.ts"
import { readXml } from "../xmlElements.ts"
import { officeProperties, type Parts, propertiesPart, relationsOf, xmlOf } from "./officeParts.ts"
import { Slide } from "./Slide.ts"

const PRESENTATION = "ppt/presentation.xml"
const PART =
  /^ppt\/(?:presentation|(?:commentA|a)uthors|(?:slides|notesSlides|comments)\/[^/]+|diagrams\/data[^/]*)\.xml$|^ppt\/(?:slides\/)?_rels\/[^/]+\.rels$/

const partOf = (name: string): string | null => PART.test(name) ? name : propertiesPart(name)

/** The parts of the slides, each once. */
const slidesOf = (parts: Parts): ReadonlyArray<string> => {
  const relations = relationsOf(parts, PRESENTATION)
  const slides: Array<string> = []
  readXml(xmlOf(parts, PRESENTATION), {
    open(name, attribute) {
      // There are two attributes of that name, and the other one is a number.
      if (name === "sldId") slides.push(relations.get(attribute("r:id") ?? "")?.target ?? "")
    }
  })
  return [...new Set(slides)]
}

/** Of what a slide refers to, what has text: diagrams, and then the notes. */
const WITH_TEXT = ["diagramData", "notesSlide"] as const

export const pptxText = async (bytes: Uint8Array): Promise<Extracted> => {
  const parts = await boundedZip(bytes, partOf)
  if (!parts.has(PRESENTATION)) throw new Damaged("The file is a ZIP archive, but no PowerPoint presentation.")
  const blocks = new HtmlBlocks()
  const write = (part: string, label = "") => {
    const slide = new Slide(blocks, label)
    readXml(xmlOf(parts, part), slide)
    slide.finish()
  }
  const people = ["ppt/commentAuthors.xml", "ppt/authors.xml"].flatMap((part) => [...peopleIn(xmlOf(parts, part))])
  const comments = commentsOf(parts, new Map(people))
  for (const part of slidesOf(parts)) {
    write(part)
    const others = [...relationsOf(parts, part).values()]
    for (const type of WITH_TEXT) {
      const [other] = others.filter((relation) => relation.type === type)
      if (other !== undefined) write(other.target, type === "notesSlide" ? "Notes: " : "")
    }
    for (const comment of comments(others)) {
      blocks.open("p")
      blocks.write(comment)
      blocks.close("p")
    }
  }
  const said = officeProperties(parts)
  return extractedText(blocks.finish(), { ...said, title: said.title.trim() === "" ? blocks.title : said.title })
}
