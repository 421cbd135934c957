/**
 * The range that questions are answered from: that of the published snapshot, until one is built for the current
 * settings.
 */
import { type Range, resolveRange } from "../model/TemporalRange.ts"
import type { Head } from "../ports/KnowledgeStore.ts"

export const servedRange = ({ settings, snapshot }: Pick<Head, "settings" | "snapshot">, now: number): Range =>
  resolveRange((snapshot?.settings ?? settings).temporal_settings, now)
