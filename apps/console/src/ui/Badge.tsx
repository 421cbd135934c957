import type { ReactNode } from "react"

type Tone = "good" | "warn" | "bad" | "accent" | "plain"

export const Badge = ({ children, tone = "plain" }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <span className={`badge ${tone}`}>{children}</span>
)
