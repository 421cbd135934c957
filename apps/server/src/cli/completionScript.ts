/** Completion scripts for shells. */
import type { Command } from "./Command.ts"

export const SHELLS = ["bash", "zsh", "fish"] as const
export type Shell = typeof SHELLS[number]

const wordsOf = ({ name }: Command): ReadonlyArray<string> => name.split(" ")

const optionsOf = ({ options }: Command): ReadonlyArray<string> => [...Object.keys(options), "help"]

/** The first words of all commands, each once, and the second words of groups. */
const groupsOf = (commands: ReadonlyArray<Command>): ReadonlyMap<string, ReadonlyArray<Command>> =>
  Map.groupBy(commands.filter(({ name }) => name.includes(" ")), (command) => wordsOf(command)[0]!)

const firstWords = (commands: ReadonlyArray<Command>): ReadonlyArray<string> => [
  ...new Set(commands.map((command) => wordsOf(command)[0]!))
]

/** The branches of a `case` over the previous words, for bash and zsh. */
const nouns = (commands: ReadonlyArray<Command>): ReadonlyArray<string> => [
  `    "") words_of="${firstWords(commands).join(" ")}" ;;`,
  ...[...groupsOf(commands)].map(([name, members]) =>
    `    "${name}") words_of="${members.map((command) => wordsOf(command)[1]).join(" ")}" ;;`
  )
]

const options = (commands: ReadonlyArray<Command>): ReadonlyArray<string> =>
  commands.map((command) =>
    `      "${command.name} "*) words_of="${optionsOf(command).map((name) => `--${name}`).join(" ")}" ;;`
  )

/** Otherwise the shell completes paths. */
const bash = (commands: ReadonlyArray<Command>): string =>
  [
    "_tributary() {",
    "  local current=\"${COMP_WORDS[COMP_CWORD]}\" words_of=\"\"",
    "  local before=\"${COMP_WORDS[*]:1:COMP_CWORD-1}\"",
    "  case \"$before\" in",
    ...nouns(commands),
    "  esac",
    "  if [[ $current == -* ]]; then",
    "    case \"$before \" in",
    ...options(commands),
    "    esac",
    "  fi",
    "  COMPREPLY=($(compgen -W \"$words_of\" -- \"$current\"))",
    "}",
    "complete -o default -F _tributary tributary"
  ].join("\n")

const zsh = (commands: ReadonlyArray<Command>): string =>
  [
    "_tributary() {",
    "  local before=\"${words[2,CURRENT-1]}\" words_of=\"\"",
    "  case \"$before\" in",
    ...nouns(commands),
    "  esac",
    "  if [[ $PREFIX == -* ]]; then",
    "    case \"$before \" in",
    ...options(commands),
    "    esac",
    "  fi",
    "  if [[ -n $words_of ]]; then compadd -- ${=words_of}; else _files; fi",
    "}",
    "(( $+functions[compdef] )) || { autoload -U compinit && compinit }",
    "compdef _tributary tributary"
  ].join("\n")

/** Inside single quotes, fish only interprets backslashes and quotes. */
const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, "\\$&")}'`

const fish = (commands: ReadonlyArray<Command>): string => {
  const single = commands.filter(({ name }) => !name.includes(" "))
  const groups = [...groupsOf(commands)]
  return [
    "function __tributary_is",
    "  set -l words (commandline -opc)[2..]",
    "  test \"$words[1..\"(count $argv)\"]\" = \"$argv\"",
    "end",
    "function __tributary_is_only",
    "  set -l words (commandline -opc)[2..]",
    "  test \"$words\" = \"$argv\"",
    "end",
    ...single.map(({ name, summary }) =>
      `complete -c tributary -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`
    ),
    ...groups.map(([name]) => `complete -c tributary -n __fish_use_subcommand -f -a ${name}`),
    ...groups.flatMap(([group, members]) =>
      members.map((command) =>
        `complete -c tributary -n '__tributary_is_only ${group}' -f -a ${wordsOf(command)[1]} -d ${
          quoted(command.summary)
        }`
      )
    ),
    ...commands.flatMap(({ name, options }) =>
      Object.entries(options).map(([option, { description, value }]) =>
        `complete -c tributary -n '__tributary_is ${name}' -l ${option} ${value === undefined ? "" : "-r "}-d ${
          quoted(description)
        }`
      )
    )
  ].join("\n")
}

export const completionScript = (shell: Shell, commands: ReadonlyArray<Command>): string =>
  ({ bash, fish, zsh })[shell](commands)
