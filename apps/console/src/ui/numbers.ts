const COUNT = new Intl.NumberFormat("en")

export const counted = (value: number): string => COUNT.format(value)

/** `3 documents`, `1 document`. */
export const amount = (value: number, one: string): string => `${counted(value)} ${value === 1 ? one : `${one}s`}`

const UNITS = ["bytes", "kB", "MB", "GB", "TB"]

/** In powers of a thousand, as the limits are counted. */
export const bytes = (value: number): string => {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, value)) / 3))
  const scaled = value / 1_000 ** power
  if (power === 0) return amount(Math.round(value), "byte")
  return `${scaled >= 100 ? Math.round(scaled) : scaled.toFixed(1)} ${UNITS[power]}`
}

/** `12 ms`, `1.4 s`. */
export const milliseconds = (value: number): string =>
  value < 1_000 ? `${Math.round(value)} ms` : `${(value / 1_000).toFixed(1)} s`
