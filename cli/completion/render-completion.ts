import type { Command } from "commander";

/** Shells with a completion. */
export type Shell = "bash" | "zsh" | "fish";

/** A word that can follow a command. */
type Word = { word: string; description: string };

/** A command with the words that can follow it: `wharf keys` → list, revoke, …, and its options. */
type Node = { path: string; words: Word[] };

/** Reports whether there is a completion for a shell. */
export const isShell = (name: string): name is Shell => ["bash", "zsh", "fish"].includes(name);

/** Returns the completion script of a shell for a program: commands and options, made from its definition. */
export const renderCompletion = (shell: Shell, program: Command): string => {
  const nodes = collectNodes(program, "");
  return { bash, zsh, fish }[shell](nodes);
};

const collectNodes = (command: Command, path: string): Node[] => {
  const commands = command.commands.flatMap((child) =>
    [child.name(), ...child.aliases()].map((name) => ({ name, child })),
  );
  const options = [...command.options, ...(command.parent?.options ?? [])];
  const words = [
    ...commands.map(({ name, child }) => ({ word: name, description: child.description() })),
    ...options.flatMap(({ long, description }) => (long ? [{ word: long, description }] : [])),
    { word: "--help", description: "display help for command" },
  ];
  const below = commands.flatMap(({ name, child }) =>
    collectNodes(child, `${path} ${name}`.trim()),
  );
  return [{ path, words }, ...below];
};

const quotePaths = (nodes: readonly Node[]): string[] =>
  nodes.flatMap(({ path }) => (path === "" ? [] : [quote(path)]));

/** Collects the commands before the cursor in `place`, without options and their values. */
const bash = (nodes: readonly Node[]): string => `# bash completion of wharf
_wharf() {
  local current="\${COMP_WORDS[COMP_CWORD]}" place="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${place:+$place }$word" in
      ${quotePaths(nodes).join("|")}) place="\${place:+$place }$word" ;;
    esac
  done
  case "$place" in
${nodes.map(({ path, words }) => `    ${quote(path)}) words=${quote(words.map(({ word }) => word).join(" "))} ;;`).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _wharf wharf
`;

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const zsh = (nodes: readonly Node[]): string => `#compdef wharf
# zsh completion of wharf
_wharf() {
  local place="" word
  local -a entries
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${place:+$place }$word" in
      (${quotePaths(nodes).join("|")}) place="\${place:+$place }$word" ;;
    esac
  done
  case "$place" in
${nodes.map((node) => `    (${quote(node.path)}) entries=(${formatEntries(node)}) ;;`).join("\n")}
  esac
  _describe 'wharf' entries || _files
}
compdef _wharf wharf
`;

const formatEntries = ({ words }: Node): string =>
  words
    .map(({ word, description }) => quote(`${word}:${description.replaceAll(":", "\\:")}`))
    .join(" ");

const fish = (nodes: readonly Node[]): string => {
  const lines = nodes.flatMap(({ path, words }) =>
    words.map(({ word, description }) => {
      const given = word.startsWith("--") ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c wharf -n ${quote(`__wharf_at ${quote(path)}`)} ${given} -d ${quote(description)}`;
    }),
  );
  return `# fish completion of wharf
function __wharf_at
  set -l place
  for word in (commandline -opc)[2..]
    if contains -- (string join ' ' $place $word) ${quotePaths(nodes).join(" ")}
      set -a place $word
    end
  end
  test (string join ' ' $place) = $argv[1]
end
${lines.join("\n")}
`;
};
