/** Misspelled options are refused, because ignoring them would look like following them. */

/** Every name of the options, which the compiler keeps complete. */
export type Names<Options> = { readonly [Name in keyof Options]-?: true }

/** Throws a `TypeError` for the first option that is not among the names; `owner` is the path of the options. */
export const checkNames = <Options extends object>(names: Names<Options>, options: object, owner = ""): void => {
  if (typeof options !== "object" || options === null) {
    const what = owner === "" ? "The options" : `The option "${owner.slice(0, -1)}"`
    throw new TypeError(`${what} must be an object, not ${JSON.stringify(options)}.`)
  }
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(names, name))
  if (unknown === undefined) return
  throw new TypeError(
    `There is no option "${owner}${unknown}". The options are: ${
      Object.keys(names).map((name) => owner + name).join(", ")
    }.`
  )
}
