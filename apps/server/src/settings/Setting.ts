/** One setting: an environment variable and its description. */
import { type NumberRule, rangeOf } from "@tributary/core/model/NumberRule"
import * as Config from "effect/Config"
import * as Schema from "effect/Schema"

export interface Setting<A> {
  readonly variable: string
  readonly description: string
  /** The default, for people. */
  readonly defaultText: string
  /** Completes the sentence "VARIABLE must be ...". */
  readonly mustBe: string
  /** Whether `VARIABLE_FILE` may name a file with the value. */
  readonly secret: boolean
  readonly config: Config.Config<A>
}

export type ValuesOf<Table extends Readonly<Record<string, Setting<unknown>>>> = {
  readonly [K in keyof Table]: Config.Success<Table[K]["config"]>
}

export const setting = <A>(
  variable: string,
  { read, secret = false, ...described }:
    & Omit<Setting<A>, "variable" | "config" | "secret">
    & { readonly secret?: boolean; readonly read: (variable: string) => Config.Config<A> }
): Setting<A> => ({ variable, secret, ...described, config: read(variable) })

/** A number without a default. */
export const numberIn = (rule: NumberRule) => (variable: string): Config.Config<number> =>
  Config.schema((rule.isWhole ? Schema.Int : Schema.Finite).check(Schema.isBetween(rule)), variable)

export const numberSetting = (
  variable: string,
  rule: NumberRule,
  { description, fallback, defaultText = String(fallback) }: {
    readonly description: string
    readonly defaultText?: string
    readonly fallback: number
  }
): Setting<number> =>
  setting(variable, {
    description,
    defaultText,
    mustBe: rangeOf(rule),
    read: (variable) => numberIn(rule)(variable).pipe(Config.withDefault(fallback))
  })

export const booleanSetting = (variable: string, fallback: "true" | "false", description: string): Setting<boolean> =>
  setting(variable, {
    description,
    defaultText: fallback,
    mustBe: "true or false",
    read: (variable) =>
      Config.Literals(["true", "false"], variable).pipe(
        Config.withDefault(fallback),
        Config.map((text) => text === "true")
      )
  })

export const textSetting = (variable: string, description: string) =>
  setting(variable, {
    description,
    defaultText: "none",
    mustBe: "a text",
    read: (variable) => Config.String(variable).pipe(Config.option)
  })

export const isBaseUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) &&
    `${url.search}${url.hash}${url.username}${url.password}` === ""
}

export const addressSetting = (variable: string, description: string, defaultText: string) =>
  setting(variable, {
    description,
    defaultText,
    mustBe: "an http or https address without query, fragment or password",
    read: (variable) => Config.schema(Schema.String.check(Schema.makeFilter(isBaseUrl)), variable).pipe(Config.option)
  })

/** A secret that is sent as a bearer token. */
export const keySetting = (variable: string, description: string) =>
  setting(variable, {
    secret: true,
    description,
    defaultText: "none",
    mustBe: "visible ASCII characters without white space",
    read: (variable) =>
      Config.schema(Schema.Redacted(Schema.String.check(Schema.isPattern(/^[\x21-\x7e]+$/))), variable).pipe(
        Config.option
      )
  })
