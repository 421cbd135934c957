import { useEffect, useState } from "react"
import { Button } from "./Button.tsx"
import { Icon } from "./Icon.tsx"

/** Browsers give pages over plain http no clipboard. The text can be selected there. */
export const Copy = ({ label = "Copy", text }: { readonly text: string; readonly label?: string }) => {
  const [copied, setCopied] = useState<"no" | "yes" | "refused">("no")
  useEffect(() => {
    if (copied === "no") return undefined
    const timer = setTimeout(() => setCopied("no"), 2_000)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () =>
    Promise.resolve(navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard")))
      .then(() => setCopied("yes"), () => setCopied("refused"))
  return (
    <Button kind="quiet" small onClick={() => void copy()}>
      <Icon name="copy" />
      <span aria-live="polite">
        {copied === "yes" ? "Copied" : copied === "refused" ? "Select and copy it" : label}
      </span>
    </Button>
  )
}
