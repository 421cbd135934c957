import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useWorkspace } from "../../api/workspace.tsx"
import { Moment } from "../../ui/time/Moment.tsx"
import type { CallSearch } from "../filters/callSearch.ts"

interface Props {
  readonly query: string
  /** The address of its answer in the playground. */
  readonly search: CallSearch
  readonly askedAt: Date | string
  readonly badge?: ReactNode
  /** Below the question. */
  readonly children?: ReactNode
}

/** A question that was asked; opens the playground with it. */
export const AskedRow = ({ askedAt, badge, children, query, search }: Props) => {
  const { workspace: { workspace_id } } = useWorkspace()
  return (
    <li>
      <div>
        <div className="row-title">
          <Link to="/w/$workspaceId/playground" params={{ workspaceId: workspace_id }} search={search}>
            <bdi>{query}</bdi>
          </Link>
          {badge}
        </div>
        {children}
      </div>
      <span className="small soft">
        <Moment at={askedAt} />
      </span>
    </li>
  )
}
