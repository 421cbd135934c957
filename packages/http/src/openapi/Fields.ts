/** What fields mean whose names do not say it, by the name of their schema. */
import { isObject, type Json, type JsonObject, mapped } from "./Json.ts"

export const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  KnowledgeTemporalSettings: {
    start: "The earliest data built into the context. Null: everything, however old.",
    end: "The latest dated data built into the context. Null: everything, however far ahead."
  },
  RelativeBound: { days: "For `start`, days back from today; for `end`, days ahead. Whole UTC days." },
  DateBound: { date: "A fixed calendar date; the whole day counts." },
  KnowledgeStatus: {
    loaded: "Whether this process holds a snapshot ready for queries.",
    up_to_date: "Built with the present settings, and no rebuild due or running.",
    evidence_watermark: "The latest document timestamp in the loaded snapshot.",
    pending_documents: "Documents that are found already, but not yet folded into the snapshot."
  },
  RefreshStarted: { run_id: "Grows by one per workspace." },
  CustomConnector: {
    source_name: "Never changes. Events carry it as `custom:<source_name>`.",
    is_active: "False once the connector is deactivated.",
    accepted_kinds: "The kinds that the connector takes. Empty: every kind.",
    metadata: "Applied to every event of the connector; what an item brings along wins."
  },
  Document: {
    source: "`custom:<source_name>` or `<provider>:<connection_id>`.",
    size: "Bytes that count against the plan.",
    ends_at: "The end of a thing with a duration.",
    in_context: "Whether it lies in the present range of the context."
  },
  FullDocument: { payload: "What was sent as `data` or `payload`; null for a plain text or a file." },
  IngestResult: {
    events: "How many items were ingested.",
    rejected: "Items that did not fit under a cap.",
    items: "What became of each item, in the order sent."
  },
  SearchAnswer: { warnings: "Filter values that match nothing known in the workspace." },
  SearchResult: {
    id: "The document's id.",
    evidence_type: "The document's kind.",
    evidence: "The stored payload, when asked for.",
    highlights: "Offsets into `snippet`, in UTF-16 code units.",
    chunk: "With `group_by: \"chunk\"`: where in the document's text, in UTF-16 code units."
  },
  SearchRequest: {
    sources: "Kinds, `custom:<source_name>` or providers.",
    metadata: "Exact pairs, all of which a document must carry.",
    from: "From this moment on. A thing with a duration counts when it reaches into the range.",
    to: "Up to this moment, and without it."
  },
  AskRequest: {
    timezone: "An IANA name, such as `Europe/Paris`.",
    async: "Whether to answer with a job instead of waiting."
  },
  Answer: {
    response: "Each `[n]` is the `marker` of a citation.",
    truncated: "Whether evidence was left out for length.",
    answered: "False when the context holds no evidence; the response then says so."
  },
  Citation: { type: "The document's kind." },
  Meter: {
    limit: "Absent when uncapped.",
    fraction_used: "`used` divided by `limit`.",
    state: "`approaching` from 80 % on, `exceeded` over the cap."
  },
  IssuedApiKey: { hint: "The last four characters of the secret.", secret: "Shown here once." },
  Usage: { rate_limits: "By operation. Unlimited operations are absent." },
  ValidationProblem: { loc: "Where: `path`, `query` or `body`, then names and positions." }
}

const explained = (schema: Json, words: Readonly<Record<string, string>>): Json =>
  isObject(schema) && isObject(schema["properties"])
    ? {
      ...schema,
      properties: mapped(
        schema["properties"],
        (field, name) => isObject(field) && name in words ? { ...field, description: words[name]! } : field
      )
    }
    : schema

/** The schemas with the meaning of their fields. */
export const withMeanings = (schemas: JsonObject): JsonObject =>
  mapped(schemas, (schema, name) => explained(schema, FIELDS[name] ?? {}))
