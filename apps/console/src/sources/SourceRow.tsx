import { Link } from "@tanstack/react-router"
import type { ReactNode, RefObject } from "react"
import { useWorkspace } from "../api/workspace.tsx"

interface Props {
  readonly row: RefObject<HTMLLIElement | null>
  readonly icon: ReactNode
  /** A link to its page. */
  readonly name: ReactNode
  readonly badges: ReactNode
  readonly facts: ReactNode
  readonly error?: string | null
  /** The source as filters name it. */
  readonly source: string
  /** In words, or undefined while it loads. */
  readonly documents: string | undefined
}

/** The same row for connectors and connections. */
export const SourceRow = ({ badges, documents, error = null, facts, icon, name, row, source }: Props) => {
  const { workspace: { workspace_id } } = useWorkspace()
  return (
    <li ref={row}>
      <div className="with-icon">
        {icon}
        <div>
          <div className="row-title">
            <bdi>{name}</bdi>
            {badges}
          </div>
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
