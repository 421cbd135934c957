/** The configuration of every web source: an address, and optional user name and password. */
import { unparsable, unparsablePart } from "@tributary/core/model/WebUrl"
import { violatedBy } from "@tributary/core/model/Violation"
import { secret } from "@tributary/core/ports/Provider"
import { Redacted, Schema } from "effect"
import type { Credentials } from "./network/webClient.ts"

const LOGIN_IN_ADDRESS = "user name and password have fields of their own"

const hasLogin = ({ password, username }: URL): boolean => username !== "" || password !== ""

/** Checks a web address; the paths of folders are checked elsewhere. */
export const soundAddress = violatedBy<string>(
  (url) =>
    url.startsWith("/")
      ? undefined
      : URL.canParse(url) && hasLogin(new URL(url))
      ? unparsable(LOGIN_IN_ADDRESS)
      : unparsablePart(url),
  // This check adds nothing, but without it the annotation of the last check would be lost.
  {}
)

/** Endings of parameter names whose values grant access. */
const LETS_IN = /(?:token|key|secret|password|auth|sig|signature)$/i

/** What of an address may be shown: all, except where sources are known to put secrets. */
export const shownAddress = (url: string): string => {
  if (!URL.canParse(url)) return url
  const parsed = new URL(url)
  const isOpen = !hasLogin(parsed) && ![...parsed.searchParams.keys()].some((name) => LETS_IN.test(name))
  return isOpen ? url : `${parsed.protocol}//${parsed.host}${parsed.pathname}?…`
}

/** The host of an address that is a secret as a whole. */
export const shownHost = (url: string): string => {
  if (!URL.canParse(url)) return url
  const { host, protocol } = new URL(url)
  return `${protocol}//${host}/…`
}

export const LoginFields = {
  username: Schema.optionalKey(Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(512))).annotate({
    title: "User name"
  }),
  password: Schema.optionalKey(secret(Schema.String.check(Schema.isMaxLength(4_096)))).annotate({
    title: "Password",
    description: "Or an access token."
  })
}

export const credentialsOf = (
  { password, username }: { readonly username?: string; readonly password?: Redacted.Redacted }
): Credentials | undefined =>
  username === undefined && password === undefined
    ? undefined
    : { username: username ?? "", password: password === undefined ? "" : Redacted.value(password) }
