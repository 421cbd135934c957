import { Copy } from "../ui/Copy.tsx"

export const LinkToPassOn = ({ url }: { readonly url: string }) => (
  <div className="stack">
    <p className="note">
      <strong>Pass this link on</strong>
      It lets in the first person who opens it, so send it to nobody else. It works for 15 minutes; while the invitation
      is open, you can get a new one here.
    </p>
    <div className="secret">
      <code aria-label="The link">{url}</code>
      <Copy text={url} />
    </div>
  </div>
)
