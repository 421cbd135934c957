/** The commands for the configured storage as a whole. */
import type { Command } from "../../cli/Command.ts"
import { JSON_ONLY, PASSPHRASE } from "./options.ts"

export const storageCommands: ReadonlyArray<Command> = [
  {
    name: "migrate",
    summary: "Migrates the configured storage. serve does the same; use this for a separate step.",
    options: JSON_ONLY,
    examples: ["TRIBUTARY_DATABASE_URL=postgres://... tributary migrate"],
    load: () => import("../migrate.ts").then(({ migrate }) => migrate)
  },
  {
    name: "backup",
    summary: "Copies the embedded database to a new file, also while a server uses it.",
    positionals: { usage: "FILE", min: 1, max: 1 },
    options: JSON_ONLY,
    examples: ["tributary backup /var/backups/tributary.db"],
    load: () => import("../backup.ts").then(({ backup }) => backup)
  },
  {
    name: "restore",
    summary: "Restores a backup of the embedded database into an empty data directory.",
    positionals: { usage: "FILE", min: 1, max: 1 },
    options: JSON_ONLY,
    examples: ["TRIBUTARY_DATA_DIR=.restored tributary restore /var/backups/tributary.db"],
    load: () => import("../backup.ts").then(({ restore }) => restore)
  },
  {
    name: "doctor",
    summary: "Checks the configured storage for problems and damage.",
    options: JSON_ONLY,
    examples: ["tributary doctor"],
    load: () => import("../doctor.ts").then(({ doctor }) => doctor)
  },
  {
    name: "export",
    summary: "Writes the whole configured storage to one file, as a backup or for another storage.",
    positionals: { usage: "FILE", min: 1, max: 1 },
    options: { ...PASSPHRASE, ...JSON_ONLY },
    examples: [
      "tributary export store.tributary",
      "tributary export store.tributary --passphrase-file /run/secrets/export",
      "TRIBUTARY_DATABASE_URL=postgres://... tributary export store.tributary"
    ],
    load: () => import("../export.ts").then((module) => module.export)
  },
  {
    name: "import",
    summary: "Imports an exported file into the configured storage, which must be empty.",
    positionals: { usage: "FILE", min: 1, max: 1 },
    options: { ...PASSPHRASE, ...JSON_ONLY },
    examples: ["TRIBUTARY_DATABASE_URL=postgres://... tributary import store.tributary"],
    load: () => import("../import.ts").then((module) => module.import)
  }
]
