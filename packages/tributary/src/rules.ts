/** What options have to be: rules for single values, in words and as tests. */

/** What a value has to be, in words and as a test. */
export interface Rule {
  readonly expected: string
  readonly holds: (value: unknown) => boolean
}

export const isObject = (value: unknown): value is object => typeof value === "object" && value !== null
export const fieldOf = (value: unknown, name: string): unknown =>
  isObject(value) || typeof value === "function" ? Reflect.get(value, name) : undefined
export const isText = (value: unknown): value is string => typeof value === "string" && value !== ""
const isAddress = (value: unknown): boolean => URL.canParse(String(value))
/** Without its scheme, "localhost:3000" is an address with the scheme "localhost". */
export const isWebAddress = (value: unknown): boolean => /^https?:$/.test(URL.parse(String(value))?.protocol ?? "")

export const rule = (expected: string, holds: Rule["holds"]): Rule => ({ expected, holds })

export const text = rule("a string", isText)
export const address = rule("an address", isAddress)
export const webAddress = rule("an http or https address", isWebAddress)
export const flag = rule("true or false", (value) => typeof value === "boolean")
export const object = rule("an object", (value) => isObject(value) && !Array.isArray(value))
export const hasOnly = (value: unknown, names: ReadonlyArray<string>): boolean =>
  object.holds(value) && Object.keys(value as object).every((name) => names.includes(name))
export const listed = (names: ReadonlyArray<string>): string => names.map((name) => `"${name}"`).join(", ")
export const objectOf = (...names: ReadonlyArray<string>): Rule =>
  rule(`an object of ${listed(names)}`, (value) => hasOnly(value, names))
export const oneOf = (...values: ReadonlyArray<string>): Rule =>
  rule(values.map((value) => `"${value}"`).join(" or "), (value) => isText(value) && values.includes(value))
export const withMethod = (name: string): Rule =>
  rule(`an object with a method "${name}"`, (value) => typeof fieldOf(value, name) === "function")

/** Throws a `TypeError` for the first option that has no rule, or breaks it; `owner` is what takes the options. */
export const checkFields = (
  rules: Readonly<Record<string, Rule>>,
  options: object,
  owner: string
): void => {
  for (const [name, value] of Object.entries(options)) {
    const known = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (known === undefined) {
      throw new TypeError(
        `There is no option "${name}" of ${owner}. The options are: ${Object.keys(rules).join(", ")}.`
      )
    }
    if (value !== undefined && !known.holds(value)) {
      throw new TypeError(`The option "${name}" of ${owner} must be ${known.expected}.`)
    }
  }
}
