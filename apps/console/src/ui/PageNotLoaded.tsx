import type { ComponentProps } from "react"
import { NotLoaded } from "./feedback/NotLoaded.tsx"
import { Card, Page, Skeleton } from "./Page.tsx"

type Props = Omit<ComponentProps<typeof NotLoaded>, "children"> & { readonly title: string }

/** A page whose subject is loading, or cannot be loaded. */
export const PageNotLoaded = ({ title, ...notLoaded }: Props) => (
  <Page title={title}>
    <NotLoaded {...notLoaded}>
      <Card>
        <Skeleton lines={6} />
      </Card>
    </NotLoaded>
  </Page>
)
