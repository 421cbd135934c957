import { type ReactNode, useEffect, useRef } from "react"
import { Icon, type IconName } from "./Icon.tsx"

interface Props {
  readonly title: string
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A page's heading takes the focus on navigation, so that screen readers announce the page. */
export const Page = ({ actions, children, lead, title }: Props) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  useEffect(() => {
    document.title = `${title} · Tributary`
  }, [title])
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1} className="wrap-anywhere" title={title}>
            <bdi>{title}</bdi>
          </h1>
          {lead !== undefined && <div className="soft">{lead}</div>}
        </div>
        {actions !== undefined && <div className="buttons">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

interface CardProps {
  readonly title?: string
  readonly aside?: ReactNode
  readonly flush?: boolean
  readonly children: ReactNode
}

export const Card = ({ aside, children, flush = false, title }: CardProps) => (
  <section className={flush ? "card flush" : "card"} aria-label={title}>
    {(title !== undefined || aside !== undefined) && (
      <div className="card-head">
        {title !== undefined && <h2>{title}</h2>}
        {aside}
      </div>
    )}
    {children}
  </section>
)

export const Empty = (
  { children, icon, title }: { readonly icon: IconName; readonly title: string; readonly children: ReactNode }
) => (
  <div className="empty">
    <Icon name={icon} />
    <h2>{title}</h2>
    {children}
  </div>
)

export const Skeleton = ({ lines = 4 }: { readonly lines?: number }) => (
  <div className="skeleton" role="status">
    <b className="hidden-text">Loading</b>
    {Array.from({ length: lines }, (_, index) => <span key={index} aria-hidden="true" />)}
  </div>
)

/** For a card without padding. */
export const CardSkeleton = (props: { readonly lines?: number }) => (
  <div className="dialog">
    <Skeleton {...props} />
  </div>
)
