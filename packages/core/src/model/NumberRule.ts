/** What a numeric option has to be: the same for `open`, for layers of a host, and for settings of the environment. */

export interface NumberRule {
  readonly minimum: number
  readonly maximum: number
  readonly isWhole: boolean
}

export const wholeNumber = (minimum: number, maximum: number): NumberRule => ({ minimum, maximum, isWhole: true })

export const numberFrom = (minimum: number, maximum: number): NumberRule => ({ minimum, maximum, isWhole: false })

/** Timers cannot wait for longer. */
const MAX_TIMER = 2 ** 31 - 1

export const MILLISECONDS = numberFrom(1, MAX_TIMER)

export const MILLISECONDS_OR_NONE = numberFrom(0, MAX_TIMER)

/** Completes the sentence "the option must be ...". */
export const rangeOf = ({ isWhole, maximum, minimum }: NumberRule): string =>
  `a ${isWhole ? "whole " : ""}number from ${minimum} to ${maximum}`

const follows = ({ isWhole, maximum, minimum }: NumberRule, value: unknown): boolean =>
  typeof value === "number" && value >= minimum && value <= maximum && (!isWhole || Number.isInteger(value))

const shown = (value: unknown): string =>
  typeof value === "string"
    ? JSON.stringify(value)
    : typeof value === "object" && value !== null
    ? "an object"
    : String(value)

/** Throws a `TypeError` for the first option that breaks its rule; `owner` is the path of the options, such as `answers.`. */
export const checkNumbers = <Name extends string>(
  rules: Readonly<Record<Name, NumberRule>>,
  options: { readonly [_ in NoInfer<Name>]?: unknown },
  owner = ""
): void => {
  for (const name in rules) {
    const value: unknown = options[name]
    if (value === undefined || follows(rules[name], value)) continue
    throw new TypeError(`The option "${owner}${name}" must be ${rangeOf(rules[name])}, not ${shown(value)}.`)
  }
}
