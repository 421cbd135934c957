/** `search`: documents by words, meaning, source and time. */
import { integer } from "@tributary/core/model/Integer"
import { SearchAnswer, SearchRequest } from "@tributary/core/model/Search"
import { Effect, Schema } from "effect"
import * as PublicApi from "../PublicApi.ts"
import { tool } from "../Tool.ts"
import { from, linked, metadata, optionalField, sources, to } from "./fields.ts"

export const search = tool({
  name: "search",
  title: "Search documents",
  description:
    `Finds documents of the knowledge base, best match first, each with a snippet of the passage that matched.

Use it to look something up, to collect material, or to find the document that another tool needs the id of. To get a question answered with citations, use ask instead. Call fetch with a result's id when the snippet is not enough.

Write the query as you would type it into a search engine: the words that the document is likely to use, without filler. Exact identifiers (a ticket key, a file name, an error code) work and rank first. When nothing is found, try fewer or other words, or drop the filters.

Examples: {"query": "parental leave policy"} · {"query": "ECONNRESET payment gateway", "sources": ["issue"], "from": "2026-01-01T00:00:00Z"}

Cite what you use by title and url.`,
  scopes: ["knowledge:read"],
  input: Schema.Struct({
    query: SearchRequest.fields.q.annotate({ description: "What to look for.", examples: ["parental leave policy"] }),
    limit: optionalField(integer(1, 100), "How many results at most; 10 when left out."),
    sources,
    from,
    to,
    metadata
  }),
  output: Schema.Struct({
    results: Schema.Array(Schema.Struct({
      id: Schema.String.annotate({ description: "For fetch." }),
      title: Schema.String,
      url: Schema.String,
      snippet: Schema.String,
      source: Schema.String,
      external_id: Schema.String.annotate({
        description: "For add_documents and delete_documents, as its source names it."
      }),
      timestamp: Schema.String
    })),
    warnings: Schema.optionalKey(
      Schema.Array(Schema.String).annotate({ description: "Filters that match nothing in this workspace." })
    )
  }),
  run: ({ query, ...filters }) =>
    PublicApi.post("/v1/knowledge/search", { q: query, ...filters }).pipe(
      PublicApi.expect(Schema.toEncoded(SearchAnswer)),
      Effect.map(({ results, warnings }) => ({
        results: results.map((result) => {
          const { external_id, id, snippet, source, timestamp } = result
          return { ...linked(id, result), snippet, source, external_id, timestamp }
        }),
        ...(warnings.length === 0 ? {} : { warnings })
      }))
    )
})
