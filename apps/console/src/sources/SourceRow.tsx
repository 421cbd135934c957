import { Link } from "@tanstack/react-router"
import type { ReactNode, RefObject } from "react"
import { useWorkspace } from "../api/workspace.tsx"
import { Moment } from "../ui/time/Moment.tsx"

interface Props {
  readonly row: RefObject<HTMLLIElement | null>
  readonly icon: ReactNode
  /** A link to its page. */
  readonly name: ReactNode
  readonly badges: ReactNode
  readonly facts: ReactNode
  readonly error?: string | null
  /** As filters say it. */
  readonly source: string
  /** In words; undefined until it is known. */
  readonly documents: string | undefined
}

/** What is pushed and what is pulled look alike. */
export const SourceRow = ({ badges, documents, error = null, facts, icon, name, row, source }: Props) => {
  const { workspace: { workspace_id } } = useWorkspace()
  return (
    <li ref={row}>
      <div className="with-icon">
        {icon}
        <div>
          <div className="row-title">{name}{badges}</div>
          <div className="facts">{facts}</div>
          {error !== null && <p className="small bad-text wrap-anywhere">{error}</p>}
        </div>
      </div>
      {documents !== undefined && (
        <Link
          className="small numeric"
          to="/w/$workspaceId/documents"
          params={{ workspaceId: workspace_id }}
          search={{ source }}
        >
          {documents}
        </Link>
      )}
    </li>
  )
}

/** When something last came, or that nothing has. */
export const Latest = ({ at, never, what }: {
  readonly at: Date | string | undefined
  readonly what: string
  readonly never: string
}) => (
  <span>
    {at === undefined ? never : (
      <>
        {what} <Moment at={at} />
      </>
    )}
  </span>
)
