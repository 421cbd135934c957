/** Lists on the wire: `limit` and `cursor` in the query, the entries and `next_cursor` in the response. */
import type { Page, PageRequest } from "@tributary/core/model/Page"

const DEFAULT_LIMIT = 20

export const toPageRequest = (
  { cursor, limit }: { readonly limit?: number | undefined; readonly cursor?: string | undefined }
): PageRequest => ({ limit: limit ?? DEFAULT_LIMIT, cursor: cursor ?? null })

/** The entries are in the field `Name`. */
type PageBody<Name extends string, A> =
  & { readonly [_ in Name]: ReadonlyArray<A> }
  & { readonly next_cursor: string | null }

/** `name` is the field of the entries. */
export const page = <Name extends string>(name: Name) => <A>({ items, next }: Page<A>) =>
  ({ [name]: items, next_cursor: next }) as unknown as PageBody<Name, A>

/** The same, with warnings about the filters if there are any. */
export const selectedPage =
  <Name extends string>(name: Name) =>
  <A>({ warnings, ...found }: Page<A> & { readonly warnings: ReadonlyArray<string> }) => ({
    ...page(name)(found),
    ...(warnings.length === 0 ? {} : { warnings })
  })
