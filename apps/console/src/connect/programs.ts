/** Programs that ask with a key of their own, and the token that a program gives to each of its users. */
import { LANGUAGES, programOf } from "../calls/code/snippets.ts"
import type { Client } from "./Client.ts"

const QUESTION = { operation: "ask", body: { query: "What changed last week?" } } as const

const INSTALL: Partial<Record<typeof LANGUAGES[number]["name"], string>> = {
  TypeScript: "npm install @tributary/client effect",
  Effect: "npm install @tributary/client effect"
}

const inEnvironment = (key: string) => ({ title: "The key, in the environment", code: `export KEY=${key}` })

const inLanguages: ReadonlyArray<Client> = LANGUAGES.map(({ name }) => ({
  id: name.toLowerCase(),
  name,
  about: "The key stays in the environment, never in the code. The playground makes the call for a question of yours.",
  scopes: ["knowledge:read"],
  snippets: ({ key }) => [
    inEnvironment(key),
    ...(INSTALL[name] === undefined ? [] : [{ title: "The client", code: INSTALL[name] }]),
    { title: "A question", code: programOf(name, QUESTION) }
  ]
}))

const token: Client = {
  id: "token",
  name: "Your own users",
  about:
    "A program makes a token for each of its users: it ends within a day, and sees only what its filter lets through. The user’s browser or agent then uses it as a key.",
  scopes: ["knowledge:read"],
  snippets: ({ key, url }) => [
    inEnvironment(key),
    {
      title: "A token for an hour, for documents whose metadata names the team",
      code: `curl ${url}/v1/tokens \\
  -H "Authorization: Bearer $KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"expires_in": 3600, "scopes": ["knowledge:read"], "filter": {"metadata": {"reader:team-a": "1"}}}'`
    }
  ]
}

export const PROGRAMS: ReadonlyArray<Client> = [...inLanguages, token]
