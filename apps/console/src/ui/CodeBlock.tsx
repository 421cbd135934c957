import { Copy } from "./Copy.tsx"

export const CodeBlock = ({ code, title }: { readonly title: string; readonly code: string }) => (
  <div className="code">
    <div className="code-head">
      <span className="soft">{title}</span>
      <Copy text={code} />
    </div>
    <pre tabIndex={0} aria-label={title}><code>{code}</code></pre>
  </div>
)
