/** Queries of a workspace, whose keys begin with its id. */
import { useInfiniteQuery, type UseInfiniteQueryOptions, useQuery, type UseQueryOptions } from "@tanstack/react-query"
import type { InfiniteData } from "@tanstack/react-query"
import { useEffect } from "react"
import { useWorkspace } from "./workspace.tsx"
import type { Client } from "./workspaceClient.ts"

interface Reading {
  readonly client: Client
  readonly workspaceId: string
  readonly signal: AbortSignal
}

/** In milliseconds. */
export interface Freshness {
  readonly refetchInterval?: number
  readonly staleTime?: number
}

type Key = ReadonlyArray<unknown>

export const useWorkspaceQuery = <A>(
  key: Key,
  read: (reading: Reading) => Promise<A>,
  options: Omit<UseQueryOptions<A>, "queryKey" | "queryFn"> = {}
) => {
  const { client, workspace: { workspace_id: workspaceId } } = useWorkspace()
  return useQuery({
    ...options,
    queryKey: [workspaceId, ...key],
    queryFn: ({ signal }) => read({ client, workspaceId, signal })
  })
}

interface Page {
  readonly next_cursor: string | null
}

type PagesOptions<A> = UseInfiniteQueryOptions<A, Error, InfiniteData<A, string | null>, Key, string | null>

/** A list that comes in pages. */
export const useWorkspacePages = <A extends Page>(
  key: Key,
  read: (reading: Reading & { readonly cursor: string | null }) => Promise<A>,
  options: Omit<PagesOptions<A>, "queryKey" | "queryFn" | "initialPageParam" | "getNextPageParam"> = {}
) => {
  const { client, workspace: { workspace_id: workspaceId } } = useWorkspace()
  return useInfiniteQuery({
    ...options,
    queryKey: [workspaceId, ...key] as Key,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => read({ client, workspaceId, signal, cursor: pageParam }),
    getNextPageParam: ({ next_cursor }) => next_cursor
  })
}

interface Loaded<A> {
  readonly state: { readonly data: InfiniteData<A, string | null> | undefined }
}

/** For `refetchInterval`: all pages are read again each time, so that more of them are read less often. */
export const perPage = (milliseconds: number) => <A>({ state: { data } }: Loaded<A>): number =>
  milliseconds * (data?.pages.length ?? 1)

interface Pages {
  readonly data: InfiniteData<unknown> | undefined
  readonly hasNextPage: boolean
  readonly isError: boolean
  readonly isFetchingNextPage: boolean
  readonly fetchNextPage: () => Promise<unknown>
}

/** Reads a list page by page, as long as more is wanted. Returns whether it does, which it stops when a page fails. */
export const useReadOn = (
  { data, fetchNextPage, hasNextPage, isError, isFetchingNextPage }: Pages,
  isWanted = true
): boolean => {
  const isReading = hasNextPage && isWanted && !isError
  useEffect(() => {
    if (isReading && !isFetchingNextPage) void fetchNextPage()
  }, [isReading, isFetchingNextPage, data])
  return isReading
}
