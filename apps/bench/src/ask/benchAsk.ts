/** How well questions are answered without a language model, and whether those that nothing answers are refused. */
import { print, printTable } from "../print.ts"
import { type Collection, collectionsIn } from "../retrieval/collections.ts"
import { answering, type Told } from "./answering.ts"

const COLLECTIONS = "TRIBUTARY_BENCH_DATA"

const share = (all: ReadonlyArray<Told>, holds: (told: Told) => boolean): string => {
  const count = all.filter(holds).length
  return `${count} of ${all.length} (${Math.round((100 * count) / Math.max(1, all.length))} %)`
}

const rowOf = async (collection: Collection, others: ReadonlyArray<Collection>): Promise<ReadonlyArray<string>> => {
  await using service = await answering(collection.documents)
  const own = collection.queries.filter(({ id }) => collection.judgments.has(id))
  const told = await service.ask(own)
  const isRelevant = ({ cited, question }: Told) =>
    cited.some((id) => (collection.judgments.get(question.id)?.get(id) ?? 0) > 0)
  const foreign = others.flatMap(({ queries }) => queries.filter((_, position) => position % 2 === 1))
  const refused = await service.ask(foreign)
  return [
    collection.name,
    String(collection.documents.length),
    share(told, ({ answered }) => answered),
    share(told, isRelevant),
    share(refused, ({ answered }) => !answered)
  ]
}

export const benchAsk = async (): Promise<void> => {
  const { [COLLECTIONS]: folder } = process.env
  if (folder === undefined) {
    print(`SKIPPED: answers to questions, because ${COLLECTIONS} names no folder of collections`)
    return
  }
  const collections = collectionsIn(folder)
  const rows: Array<ReadonlyArray<string>> = []
  for (const collection of collections) {
    rows.push(await rowOf(collection, collections.filter((other) => other !== collection)))
  }
  printTable(["", "documents", "answered", "a judged document cited", "foreign questions refused"], rows)
}
