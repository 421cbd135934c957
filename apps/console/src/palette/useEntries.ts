/** Entries that match the query: pages, sources, keys, documents, and links that ask or search for it. */
import { keepPreviousData } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useWorkspaceQuery } from "../api/useWorkspaceQuery.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { documentName } from "../documents/documentName.ts"
import { useKeys } from "../keys/useKeys.ts"
import { isUsable } from "../keys/isUsable.ts"
import { menuFor } from "../shell/menu.ts"
import { useSources } from "../sources/useSources.ts"
import { useSettled } from "../ui/time/useSettled.ts"
import type { Entry, Group } from "./Entry.ts"

/** Of each kind. */
const MAX_ENTRIES = 6

/** Milliseconds after the last key. */
const TYPED = 150

const matches = (words: string) => ({ about = "", name }: Entry): boolean => {
  const text = `${name} ${about}`.toLowerCase()
  return words.toLowerCase().split(/\s+/).every((word) => text.includes(word))
}

const usePages = (): ReadonlyArray<Entry> => {
  const { isOwner, workspace: { workspace_id } } = useWorkspace()
  const navigate = useNavigate()
  return menuFor(isOwner).flatMap(([, pages]) =>
    pages.map(([to, icon, name]) => ({
      id: to,
      name,
      icon,
      go: () => navigate({ to, params: { workspaceId: workspace_id } })
    }))
  )
}

const useSourceEntries = (): ReadonlyArray<Entry> => {
  const { workspace: { workspace_id: workspaceId } } = useWorkspace()
  const navigate = useNavigate()
  const { sources = [] } = useSources({})
  return sources.map((source): Entry =>
    source.way === "push"
      ? {
        id: source.id,
        name: source.name,
        about: `custom:${source.connector.source_name}`,
        icon: "connectors",
        go: () =>
          navigate({ to: "/w/$workspaceId/connectors/$connectorId", params: { workspaceId, connectorId: source.id } })
      }
      : {
        id: source.id,
        name: source.name,
        about: source.connection.provider,
        icon: "connections",
        go: () =>
          navigate({
            to: "/w/$workspaceId/connections/$connectionId",
            params: { workspaceId, connectionId: source.id }
          })
      }
  )
}

const useKeyEntries = (): ReadonlyArray<Entry> => {
  const { workspace: { workspace_id } } = useWorkspace()
  const navigate = useNavigate()
  const { data: keys = [] } = useKeys()
  return keys.filter(isUsable).map(({ hint, key_id, name }) => ({
    id: key_id,
    name,
    about: `…${hint}`,
    icon: "keys",
    go: () => navigate({ to: "/w/$workspaceId/keys", params: { workspaceId: workspace_id }, search: { q: name } })
  }))
}

const useDocumentEntries = (words: string) => {
  const { workspace: { workspace_id: workspaceId } } = useWorkspace()
  const navigate = useNavigate()
  const { data, isFetching } = useWorkspaceQuery(
    ["palette", words],
    ({ client, signal }) => client.documents.browse({ q: words, limit: MAX_ENTRIES, sort: "-timestamp" }, { signal }),
    { enabled: words !== "", placeholderData: keepPreviousData }
  )
  const documents = words === "" ? [] : data?.documents ?? []
  return {
    isFetching,
    entries: documents.map((document): Entry => ({
      id: document.document_id,
      name: documentName(document),
      ...(documentName(document) === document.external_id ? {} : { about: document.external_id }),
      icon: "file",
      go: () =>
        navigate({
          to: "/w/$workspaceId/documents/$documentId",
          params: { workspaceId, documentId: document.document_id },
          search: { find: words }
        })
    }))
  }
}

const useTextEntries = (words: string): ReadonlyArray<Entry> => {
  const { workspace: { workspace_id } } = useWorkspace()
  const navigate = useNavigate()
  if (words === "") return []
  const to = { to: "/w/$workspaceId/playground", params: { workspaceId: workspace_id } } as const
  return [
    {
      id: "search",
      name: `Search the texts for “${words}”`,
      icon: "search",
      go: () => navigate({ ...to, search: { q: words, mode: "search" } })
    },
    { id: "ask", name: `Ask “${words}”`, icon: "playground", go: () => navigate({ ...to, search: { q: words } }) }
  ]
}

export const useEntries = (typed: string) => {
  const words = typed.trim()
  const settled = useSettled(words, TYPED)
  const documents = useDocumentEntries(settled)
  const matching = matches(words)
  const groups: ReadonlyArray<Group> = [
    { title: "Pages", entries: usePages().filter(matching).slice(0, words === "" ? undefined : MAX_ENTRIES) },
    { title: "Sources", entries: useSourceEntries().filter(matching).slice(0, MAX_ENTRIES) },
    { title: "Keys", entries: useKeyEntries().filter(matching).slice(0, MAX_ENTRIES) },
    { title: "Documents", entries: documents.entries },
    { title: "In the texts", entries: useTextEntries(words) }
  ]
  return {
    groups: groups.filter(({ entries }) => entries.length > 0),
    isSettled: settled === words && !documents.isFetching
  }
}
