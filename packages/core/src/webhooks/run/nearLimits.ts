/** Events about approaching limits: the plan's usage, and keys that expire. */
import { Effect, Schema } from "effect"
import { uuid7 } from "../../internal/uuid7.ts"
import { EventId, type WorkspaceId } from "../../model/Id.ts"
import { DAY } from "../../model/Day.ts"
import { type Meter, meter } from "../../model/Usage.ts"
import type { WebhookEventType } from "../../model/Webhook.ts"
import { limitsFor, type WorkspaceRecord } from "../../model/Workspace.ts"
import { ApiKeyStore } from "../../ports/ApiKeyStore.ts"
import { DocumentStore } from "../../ports/DocumentStore.ts"
import type { Message, WebhookRecord } from "../../ports/WebhookStore.ts"
import { derivedId, messageOf } from "../messages.ts"

const METERS = ["documents", "storage"] as const

const State = Schema.optionalKey(Schema.Literals(["ok", "approaching", "exceeded"]))

/** The last reported state. */
const Noted = Schema.fromJsonString(Schema.Struct({
  documents: State,
  storage: State,
  /** The reports for keys that have not expired yet. */
  keys: Schema.optionalKey(Schema.Array(EventId))
}))
type Noted = typeof Noted.Type

const RANKS = { ok: 0, approaching: 1, exceeded: 2 }

/** How many days before its expiry a key is reported. */
const NOTICES = [7, 1]

const usageMessage = (
  workspaceId: WorkspaceId,
  type: WebhookEventType,
  resource: string,
  { limit, state, used }: Meter,
  now: number
): Message =>
  messageOf(workspaceId, {
    id: uuid7<EventId>(now),
    type,
    subject: `usage ${resource}`,
    at: new Date(now),
    data: { resource, used, limit, state }
  })

/** A worse state is reported; a better one is only recorded. */
const usageMessages = Effect.fnUntraced(
  function*(workspace: WorkspaceRecord, wants: (type: WebhookEventType) => boolean, noted: Noted, now: number) {
    if (!wants("usage.approaching") && !wants("usage.exceeded")) return { messages: [], states: {} }
    const used = yield* (yield* DocumentStore).meters(workspace.workspace_id)
    const limits = limitsFor(workspace)
    const meters = METERS.map((resource) => ({ resource, meter: meter(used[resource], limits[resource]) }))
    return {
      messages: meters.flatMap(({ meter, resource }) => {
        const { state } = meter
        if (state === "ok" || RANKS[state] <= RANKS[noted[resource] ?? "ok"] || !wants(`usage.${state}`)) return []
        return [usageMessage(workspace.workspace_id, `usage.${state}`, resource, meter, now)]
      }),
      states: Object.fromEntries(meters.map(({ meter: { state }, resource }) => [resource, state]))
    }
  }
)

/** A key is reported a week and a day before its expiry, unless its lifetime is shorter. */
const keyMessages = Effect.fnUntraced(
  function*(workspaceId: WorkspaceId, wants: (type: WebhookEventType) => boolean, noted: Noted, now: number) {
    if (!wants("api_key.expiring")) return { messages: [], keys: [] }
    const keys = yield* (yield* ApiKeyStore).list(workspaceId)
    const notices = keys.flatMap(({ created_at, expires_at, key_id, name, revoked_at }) => {
      if (expires_at === null || revoked_at !== null || expires_at.getTime() <= now) return []
      const begun = NOTICES.filter((days) => {
        const from = expires_at.getTime() - days * DAY
        return from <= now && from >= created_at.getTime()
      })
      return begun.map((days) => ({
        id: derivedId(`api_key.expiring ${key_id} ${expires_at.toISOString()} ${days}`),
        /** After a webhook was disabled for days, only the last report is useful. */
        isLatest: days === Math.min(...begun),
        type: "api_key.expiring" as const,
        subject: key_id,
        at: new Date(now),
        data: { key_id, name, expires_at: expires_at.toISOString(), days }
      }))
    })
    return {
      messages: notices.filter(({ id, isLatest }) => isLatest && noted.keys?.includes(id) !== true)
        .map((notice) => messageOf(workspaceId, notice)),
      keys: notices.map(({ id }) => id)
    }
  }
)

/** The messages, and the state after they were reported. */
export const nearLimits = Effect.fnUntraced(
  function*(workspace: WorkspaceRecord, webhook: WebhookRecord, now: number) {
    const noted = yield* Effect.orDie(Schema.decodeEffect(Noted)(webhook.noted))
    const wants = (type: WebhookEventType) => webhook.event_types.includes(type)
    const usage = yield* usageMessages(workspace, wants, noted, now)
    const expiring = yield* keyMessages(workspace.workspace_id, wants, noted, now)
    return {
      messages: [...usage.messages, ...expiring.messages],
      noted: Schema.encodeSync(Noted)({ ...usage.states, keys: expiring.keys })
    }
  }
)
