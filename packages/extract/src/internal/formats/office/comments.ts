/** The comments on cells and slides, of older programs and of newer ones, whose comments have replies. */
import { type Parts, type Relation, xmlOf } from "./officeParts.ts"
import { readXml } from "../xmlElements.ts"

const COMMENTS: ReadonlySet<string> = new Set(["comment", "threadedComment", "cm", "reply"])
const TEXTS: ReadonlySet<string> = new Set(["t", "text"])
const PEOPLE: ReadonlySet<string> = new Set(["author", "cmAuthor", "person"])

/** In a sheet with newer comments, the older ones repeat them for older programs. */
const COPY = "tc="

/** Who writes comments, by id. */
export const peopleIn = (xml: string): ReadonlyMap<string, string> => {
  const people = new Map<string, string>()
  readXml(xml, {
    open(name, attribute) {
      if (PEOPLE.has(name)) people.set(attribute("id") ?? "", attribute("displayName") ?? attribute("name") ?? "")
    }
  })
  return people
}

interface Comment {
  /** Of the cell; empty on a slide. */
  readonly place: string
  readonly writer: string
  text: string
}

const commentsIn = (xml: string, people: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  const authors: Array<string> = []
  const comments: Array<Comment> = []
  const open: Array<Comment> = []
  let texts = 0
  let isAuthor = false
  readXml(xml, {
    open(name, attribute) {
      if (COMMENTS.has(name)) {
        const comment = {
          place: attribute("ref") ?? "",
          writer: attribute("authorId") ?? attribute("personId") ?? "",
          text: ""
        }
        comments.push(comment)
        open.push(comment)
      } else if (TEXTS.has(name)) texts++
      else if (name === "author") isAuthor = authors.push("") > 0
    },
    close(name) {
      if (COMMENTS.has(name)) open.pop()
      else if (TEXTS.has(name)) texts--
      else if (name === "author") isAuthor = false
      else if (name === "p" && open.length > 0) open.at(-1)!.text += "\n"
    },
    text(piece) {
      const comment = open.at(-1)
      if (comment !== undefined && texts > 0) comment.text += piece
      else if (isAuthor) authors[authors.length - 1] += piece
    }
  })
  const nameOf = ({ writer }: Comment): string => (people.get(writer) ?? authors[Number(writer)] ?? "").trim()
  return comments.filter((comment) => comment.text.trim() !== "" && !nameOf(comment).startsWith(COPY)).map(
    (comment) => {
      const [name, place] = [nameOf(comment), comment.place]
      return `Comment${name === "" ? "" : ` by ${name}`}${place === "" ? "" : ` on ${place}`}: ${comment.text.trim()}`
    }
  )
}

/** What the comments say to which a part refers. Several parts may refer to the same ones, which are read once. */
export const commentsOf = (parts: Parts, people: ReadonlyMap<string, string>) => {
  const read = new Set<string>()
  return (relations: Iterable<Relation>): ReadonlyArray<string> =>
    [...relations].filter(({ type }) => type === "comments" || type === "threadedComment").flatMap(({ target }) => {
      if (read.has(target)) return []
      read.add(target)
      return commentsIn(xmlOf(parts, target), people)
    })
}
