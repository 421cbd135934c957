import { Link } from "@tanstack/react-router"
import { Suspense } from "react"
import { useWorkspace } from "../api/workspace.tsx"
import { page } from "../shell/page.ts"
import { Empty, Skeleton } from "../ui/Page.tsx"

const FirstFiles = page(() => import("../uploads/FirstFiles.tsx"), "FirstFiles")

export const NoDocuments = ({ isFiltered }: { readonly isFiltered: boolean }) => {
  const { workspace: { workspace_id: workspaceId } } = useWorkspace()
  if (isFiltered) {
    return (
      <Empty icon="file" title="No document matches">
        <p>This looks at titles and ids. The playground searches in the texts.</p>
      </Empty>
    )
  }
  return (
    <Empty icon="file" title="Nothing is stored yet">
      <p>Drop a few files here, push through a connector, or connect where your data is already.</p>
      <Suspense fallback={<Skeleton />}>
        <FirstFiles />
      </Suspense>
      <Link className="button" to="/w/$workspaceId/sources" params={{ workspaceId }}>Add a source</Link>
    </Empty>
  )
}
