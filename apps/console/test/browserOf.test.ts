// Sessions are named by what they are used with.
import { assert, it } from "vitest"
import { browserOf } from "../src/members/browserOf.ts"

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)"

it("The browser and system are named by a header in which browsers claim to be others", () => {
  const names = [
    [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/156.0.0.0 Safari/537.36`, "Chrome on Linux"],
    [`Mozilla/5.0 (Windows NT 10.0; Win64) ${WEBKIT} Chrome/150.0 Safari/537.36 Edg/150.0`, "Edge on Windows"],
    [`Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/150.0 Mobile Safari/537.36`, "Chrome on Android"],
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:150.0) Gecko/20100101 Firefox/150.0", "Firefox on macOS"],
    [`Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) ${WEBKIT} Version/26.0 Safari/604.1`, "Safari on iOS"],
    ["curl/8.15.0", "curl/8.15.0"]
  ] as const
  for (const [header, name] of names) assert.strictEqual(browserOf(header), name)
})
