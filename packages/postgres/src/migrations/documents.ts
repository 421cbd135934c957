/**
 * Documents with their text, their changes and events, and the counters of each workspace.
 *
 * Plans are cached per connection, even those made while a table was nearly empty and all indexes looked the same. So
 * each lookup by one key has one suitable index: document ids and connector ids belong to one workspace anyway, and
 * those indexes do not start with it.
 */
import type { Migration } from "./Migration.ts"

const statements: Migration["statements"] = (schema) => [
  // Narrow and loosely packed: this row is written with every change, and locked to bring changes into one order.
  `CREATE TABLE ${schema}.counters (
    workspace_id uuid PRIMARY KEY,
    documents bigint NOT NULL DEFAULT 0,
    storage bigint NOT NULL DEFAULT 0,
    change_seq bigint NOT NULL DEFAULT 0,
    event_seq bigint NOT NULL DEFAULT 0
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE ${schema}.documents (
    workspace_id uuid NOT NULL,
    document_id uuid NOT NULL,
    connector_id uuid NOT NULL,
    external_id text COLLATE "C" NOT NULL,
    change_seq bigint NOT NULL,
    source text NOT NULL,
    kind text NOT NULL,
    title text,
    url text,
    size bigint NOT NULL,
    text_bytes bigint NOT NULL,
    timestamp timestamptz NOT NULL,
    ends_at timestamptz,
    metadata text NOT NULL,
    fingerprint text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (document_id),
    UNIQUE (connector_id, external_id)
  )`,
  `CREATE INDEX documents_by_change ON ${schema}.documents (workspace_id, change_seq)`,
  `CREATE INDEX documents_by_time ON ${schema}.documents (workspace_id, timestamp, document_id)`,
  `CREATE INDEX documents_by_connector ON ${schema}.documents (workspace_id, connector_id, document_id)`,
  // "start" counts UTF-16 code units, as the text's readers do.
  `CREATE TABLE ${schema}.chunks (
    document_id uuid NOT NULL,
    ordinal integer NOT NULL,
    start integer NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (document_id, ordinal)
  )`,
  // In slices, because a row has to fit into one message of the protocol.
  `CREATE TABLE ${schema}.payloads (
    document_id uuid NOT NULL,
    slice integer NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (document_id, slice)
  )`,
  `CREATE TABLE ${schema}.tombstones (
    workspace_id uuid NOT NULL,
    document_id uuid NOT NULL,
    change_seq bigint NOT NULL,
    PRIMARY KEY (document_id)
  )`,
  `CREATE INDEX tombstones_by_change ON ${schema}.tombstones (workspace_id, change_seq)`,
  `CREATE TABLE ${schema}.events (
    workspace_id uuid NOT NULL,
    event_seq bigint NOT NULL,
    event_id uuid NOT NULL,
    type text NOT NULL,
    source text NOT NULL,
    kind text NOT NULL,
    external_id text NOT NULL,
    document_id uuid NOT NULL,
    timestamp timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    metadata text NOT NULL,
    PRIMARY KEY (workspace_id, event_seq)
  )`,
  // Events arrive in the order of this column, so a summary of block ranges finds the old ones.
  `CREATE INDEX events_by_age ON ${schema}.events USING brin (created_at)`
]

export const documents: Migration = { name: "documents", oldestCompatible: 1, statements }
