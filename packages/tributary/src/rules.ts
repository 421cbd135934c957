/** What options have to be: rules for single values, in words and as tests. */

/** What a value has to be, in words and as a test. */
export type Rule = readonly [expected: string, holds: (value: unknown) => boolean]

export const isObject = (value: unknown): value is object => typeof value === "object" && value !== null
export const fieldOf = (value: unknown, name: string): unknown =>
  isObject(value) || typeof value === "function" ? Reflect.get(value, name) : undefined
export const isText = (value: unknown): value is string => typeof value === "string" && value !== ""
export const isAddress = (value: unknown): boolean => URL.canParse(String(value))
/** Without its scheme, "localhost:3000" is an address with the scheme "localhost". */
export const isWebAddress = (value: unknown): boolean => /^https?:$/.test(URL.parse(String(value))?.protocol ?? "")

export const text: Rule = ["a string", isText]
export const address: Rule = ["an address", isAddress]
export const webAddress: Rule = ["an http or https address", isWebAddress]
export const flag: Rule = ["true or false", (value) => typeof value === "boolean"]
export const object: Rule = ["an object", (value) => isObject(value) && !Array.isArray(value)]
export const hasOnly = (value: unknown, names: ReadonlyArray<string>): boolean =>
  object[1](value) && Object.keys(value as object).every((name) => names.includes(name))
export const listed = (names: ReadonlyArray<string>): string => names.map((name) => `"${name}"`).join(", ")
export const objectOf = (...names: ReadonlyArray<string>): Rule => [
  `an object of ${listed(names)}`,
  (value) => hasOnly(value, names)
]
export const oneOf = (...values: ReadonlyArray<string>): Rule => [
  values.map((value) => `"${value}"`).join(" or "),
  (value) => isText(value) && values.includes(value)
]
export const withMethod = (
  name: string
): Rule => [`an object with a method "${name}"`, (value) => typeof fieldOf(value, name) === "function"]

/** Throws a `TypeError` for the first option that has no rule, or breaks it; `owner` is what takes the options. */
export const checkFields = (
  rules: Readonly<Record<string, Rule>>,
  options: object,
  owner: string
): void => {
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (rule === undefined) {
      throw new TypeError(
        `There is no option "${name}" of ${owner}. The options are: ${Object.keys(rules).join(", ")}.`
      )
    }
    const [expected, holds] = rule
    if (value !== undefined && !holds(value)) {
      throw new TypeError(`The option "${name}" of ${owner} must be ${expected}.`)
    }
  }
}
