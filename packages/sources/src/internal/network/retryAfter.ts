/** `Retry-After` in whole seconds, at least one; undefined if it is absent or invalid. */
export const retryAfter = (value: string | null): number | undefined => {
  if (value === null) return undefined
  const seconds = /^\d{1,9}$/.test(value.trim()) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : undefined
}
