import { Skeleton } from "../ui/Page.tsx"

/** The same as in `index.html`, so that nothing moves while the scripts and the first answers come. */
export const Loading = () => (
  <main className="alone">
    <div>
      <span className="brand">Tributary</span>
      <Skeleton />
    </div>
  </main>
)
