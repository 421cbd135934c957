/** The start message on standard output. It is the only place that shows the key. */
import { limitsOf } from "@tributary/core/model/Plan"
import type { WorkspaceRecord } from "@tributary/core/model/Workspace"
import * as Option from "effect/Option"
import type { DemoAnswer } from "./Demo.ts"
import type { FirstStart } from "./FirstStart.ts"

/** Quotes a text as one word of a shell. */
const quoted = (text: string, apostrophe: string): string => `'${text.replaceAll("'", apostrophe)}'`

const request = (address: string, secret: string, demo: Option.Option<DemoAnswer>): ReadonlyArray<string> => {
  const to = (path: string) => `curl ${quoted(`${address}${path}`, "%27")} \\`
  return Option.match(demo, {
    onNone: () => [
      to("/v1/knowledge/status"),
      `  -H 'Authorization: Bearer ${secret}'`
    ],
    onSome: ({ question }) => [
      to("/v1/knowledge/ask"),
      `  -H 'Authorization: Bearer ${secret}' \\`,
      "  -H 'Content-Type: application/json' \\",
      `  -d ${quoted(JSON.stringify({ query: question }), "\\u0027")}`
    ]
  })
}

const indented = (text: string, by: string): string =>
  text.split("\n").map((line) => `${by}${line}`.trimEnd()).join("\n")

const answered = ({ answer, documents, question }: DemoAnswer): ReadonlyArray<string> => [
  `The workspace holds the documentation of Tributary in ${documents} documents. Asked`,
  "",
  `  ${question}`,
  "",
  "it answers",
  "",
  indented(answer.response, "  "),
  ...answer.citations.flatMap(({ entity }) => ["", `  [${entity.marker}] ${entity.title ?? entity.external_id}`]),
  "",
  "Ask it yourself:"
]

/** How commands are called: as an installed package, or in a clone of the repository. */
const COMMAND = /[/\\]node_modules[/\\]@tributary[/\\]server[/\\]/.test(import.meta.url)
  ? "npx tributary"
  : "npm run tributary --"

/** What a newcomer meets first of the plan's limits. */
const plan = ({ tier, workspace_id }: WorkspaceRecord, commands: boolean): ReadonlyArray<string> => {
  const { ask, search } = limitsOf(tier)
  if (ask === null || search === null) return []
  return [
    `  plan       ${tier}: ${ask.limit} questions and ${search.limit} searches a minute`,
    ...commands ? [`             (no limit: ${COMMAND} workspaces set-plan ${workspace_id} pro)`] : []
  ]
}

/** Commands cannot reach a store in memory, so a first start prints the sign-in link. */
const console = (baseUrl: string, commands: boolean, link: Option.Option<string>): ReadonlyArray<string> =>
  Option.match(link, {
    onSome: (url) => [
      `  console    ${url}`,
      "             (signs in once, within 15 minutes; the operator API makes further links)"
    ],
    onNone: () => [
      `  console    ${baseUrl}/console`,
      ...commands ? [`             (${COMMAND} console prints a link that signs in)`] : []
    ]
  })

/** A later start shows no key, but how to create one. `commands`: whether commands on this machine reach the data. */
export const banner = (
  { address, baseUrl }: { readonly address: string; readonly baseUrl: string },
  { commands, place }: { readonly place: string; readonly commands: boolean },
  start: Option.Option<FirstStart>
): string =>
  [
    "",
    `Tributary listens on ${address}`,
    ...Option.match(start, {
      onNone: () => [
        "",
        `  storage    ${place}`,
        ...console(baseUrl, commands, Option.none()),
        "",
        "The server keeps its workspaces and keys. To create another key:",
        "",
        `  ${COMMAND} keys create NAME`
      ],
      onSome: ({ demo, key, signInLink, workspace }) => [
        "",
        `  workspace  ${workspace.workspace_id}`,
        `  API key    ${key.secret}`,
        `             (shown this once; scopes ${key.scopes.join(", ")})`,
        ...plan(workspace, commands),
        `  storage    ${place}`,
        ...console(baseUrl, commands, signInLink),
        "",
        ...Option.match(demo, { onNone: () => ["Try it:"], onSome: answered }),
        "",
        ...request(address, key.secret, demo)
      ]
    }),
    ""
  ].join("\n")
