import { Icon, type IconName } from "../ui/Icon.tsx"

const ICONS: Readonly<Record<string, IconName>> = {
  files: "folder",
  feed: "feed",
  imap: "mail",
  caldav: "calendar",
  git: "branch"
}

/** Falls back to the icon of a connection. */
export const ProviderIcon = ({ provider }: { readonly provider: string }) => (
  <Icon name={ICONS[provider] ?? "connections"} />
)
