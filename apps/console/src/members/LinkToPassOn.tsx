import { Copy } from "../ui/Copy.tsx"

export const LinkToPassOn = ({ url }: { readonly url: string }) => (
  <div className="stack">
    <p className="note">
      <strong>Pass this link on</strong>
      It signs in whoever opens it first, so send it to nobody else. It works for 7 days, or until you get a new one.
    </p>
    <div className="secret">
      <code aria-label="The link">{url}</code>
      <Copy text={url} />
    </div>
  </div>
)
