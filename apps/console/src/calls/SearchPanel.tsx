import { useInfiniteQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { SearchResult } from "@tributary/client"
import { type FormEvent, useState } from "react"
import { useWorkspace } from "../api/workspace.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Failure } from "../ui/Failure.tsx"
import { Field } from "../ui/Field.tsx"
import { Icon } from "../ui/Icon.tsx"
import { dayOf } from "../ui/Moment.tsx"
import { Empty, Skeleton } from "../ui/Page.tsx"
import { CallCode } from "./CallCode.tsx"
import { FilterFields } from "./FilterFields.tsx"
import { NO_FILTERS, sentFilters } from "./filters.ts"
import { Marked } from "./Marked.tsx"
import { curlOf, searchProgram } from "./snippets.ts"

const Result = ({ result }: { readonly result: SearchResult }) => {
  const { workspace } = useWorkspace()
  return (
    <li className="result">
      <div className="row-title">
        <Link
          to="/w/$workspaceId/documents/$documentId"
          params={{ workspaceId: workspace.workspace_id, documentId: result.id }}
        >
          {result.title ?? result.external_id}
        </Link>
        <Badge tone={result.in_context ? "accent" : "plain"}>
          {result.in_context ? "In the context" : "Outside the context"}
        </Badge>
      </div>
      <p className="wrap-anywhere">
        <Marked text={result.snippet} stretches={result.highlights} />
      </p>
      <div className="facts">
        <span>{result.source}</span>
        <span>{dayOf(result.timestamp)}</span>
        <span className="numeric">score {result.score.toFixed(2)}</span>
      </div>
    </li>
  )
}

export const SearchPanel = () => {
  const { client, workspace } = useWorkspace()
  const [q, setQ] = useState("")
  const [filters, setFilters] = useState(NO_FILTERS)
  const [inContext, setInContext] = useState("")
  const [sent, setSent] = useState<Parameters<typeof client.knowledge.search>[0] | null>(null)

  const found = useInfiniteQuery({
    queryKey: [workspace.workspace_id, "search", sent],
    enabled: sent !== null,
    staleTime: Infinity,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      client.knowledge.search({ ...sent!, ...(pageParam === null ? {} : { cursor: pageParam }) }, { signal }),
    getNextPageParam: ({ next_cursor }) => next_cursor
  })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (q.trim() === "") return
    setSent({ q, ...sentFilters(filters), ...(inContext === "" ? {} : { in_context: inContext === "in" }) })
  }
  const results = found.data?.pages.flatMap(({ results }) => results) ?? []
  const warnings = found.data?.pages[0]?.warnings ?? []

  return (
    <>
      <form className="card" onSubmit={submit} role="search">
        <Field label="Search for" hint="Searches everything that is stored, in the context or not.">
          {(control) => (
            <input
              {...control}
              type="search"
              value={q}
              maxLength={1_000}
              onChange={(event) => setQ(event.target.value)}
            />
          )}
        </Field>
        <FilterFields filters={filters} onChange={setFilters} />
        <div className="buttons">
          <Button type="submit" kind="primary" busy={found.isFetching}>
            <Icon name="search" />Search
          </Button>
          <Field label="Where" hideLabel>
            {(control) => (
              <select {...control} value={inContext} onChange={(event) => setInContext(event.target.value)}>
                <option value="">In the context and outside</option>
                <option value="in">In the context only</option>
                <option value="out">Outside of it only</option>
              </select>
            )}
          </Field>
        </div>
      </form>
      {found.error !== null && (
        <Failure
          error={found.error}
          what="The search failed"
          retry={() => void found.refetch()}
        />
      )}
      {found.isLoading && (
        <div className="card">
          <Skeleton />
        </div>
      )}
      {found.data !== undefined && (
        <section className="card flush" aria-label="Results">
          <div className="card-head">
            <h2>Results</h2>
            <span className="soft small" role="status">
              {results.length === 0 ? "Nothing found" : `${results.length} shown`}
            </span>
          </div>
          {warnings.map((warning) => <p key={warning} className="note warn">{warning}</p>)}
          {results.length === 0
            ? (
              <Empty icon="search" title="Nothing matches">
                <p>Try fewer or other words, or fewer filters.</p>
              </Empty>
            )
            : <ol>{results.map((result) => <Result key={result.id} result={result} />)}</ol>}
          {found.hasNextPage && (
            <div className="result">
              <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>Show more</Button>
            </div>
          )}
        </section>
      )}
      {sent !== null && <CallCode curl={curlOf("/v1/knowledge/search", sent)} program={searchProgram(sent)} />}
    </>
  )
}
