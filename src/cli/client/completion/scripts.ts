import type { Place } from './places.ts';

/** Shells with a script. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/**
 * A script that completes commands, options and their values. It contains all of them, so that completing starts no process and evaluates nothing that
 * was typed. Where nothing is known, files are completed.
 */
export function completionScript(shell: Shell, program: string, places: readonly Place[]): string {
  return { bash, zsh, fish }[shell](program, places);
}

function bash(program: string, places: readonly Place[]): string {
  return `# bash completion of ${program}: source <(${program} completion bash)
_${program}() {
  local word place='' previous='' current=\${COMP_WORDS[COMP_CWORD]} candidates=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$place $word" in
      ${pathsOf(places).map(quoted).join(' | ')}) place="$place $word" ;;
    esac
    [[ $word == '=' ]] || previous=$word
  done
  [[ $current == '=' ]] && current=''
  case "$place $previous" in
${optionsWithValue(places, (choices) => (choices.length === 0 ? 'return' : `candidates=${quoted(choices.join(' '))}`))}
    *)
      if [[ $current == -* ]]; then
        case "$place" in
${places.map(({ path, options }) => `          ${quoted(path)}) candidates=${quoted(options.flatMap(({ names }) => names).join(' '))} ;;`).join('\n')}
        esac
      else
        case "$place" in
${places.flatMap(({ path, commands, values }) => caseOf('          ', path, `candidates=${quoted([...commands.map(({ name }) => name), ...values].join(' '))}`, commands.length + values.length)).join('\n')}
        esac
      fi
      ;;
  esac
  local IFS=$' \\n'
  COMPREPLY=($(compgen -W "$candidates" -- "$current"))
}
complete -o default -F _${program} ${program}
`;
}

function zsh(program: string, places: readonly Place[]): string {
  const described = (entries: ReadonlyArray<{ name: string; description: string }>) =>
    entries.map(({ name, description }) => quoted(`${name.replaceAll(':', '\\:')}:${description}`)).join(' ');
  return `#compdef ${program}
# zsh completion of ${program}: source <(${program} completion zsh)
_${program}() {
  local word place='' previous='' current=\${words[CURRENT]}
  local -a candidates
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$place $word" in
      ${pathsOf(places).map(quoted).join(' | ')}) place="$place $word" ;;
    esac
    previous=$word
  done
  case "$place $previous" in
${optionsWithValue(places, (choices) => (choices.length === 0 ? '_files; return' : `candidates=(${choices.map(quoted).join(' ')})`))}
    *)
      if [[ $current == -* ]]; then
        case "$place" in
${places.map(({ path, options }) => `          ${quoted(path)}) candidates=(${described(options.flatMap(({ names, description }) => names.map((name) => ({ name, description }))))}) ;;`).join('\n')}
        esac
      else
        case "$place" in
${places.flatMap(({ path, commands, values }) => caseOf('          ', path, `candidates=(${[described(commands), ...values.map(quoted)].join(' ')})`, commands.length + values.length)).join('\n')}
        esac
      fi
      ;;
  esac
  if (( $#candidates )); then
    _describe ${program} candidates
  else
    _files
  fi
}
(( $+functions[compdef] )) && compdef _${program} ${program}
`;
}

function fish(program: string, places: readonly Place[]): string {
  const at = ({ path }: Place) => `-n ${fishQuoted(`__${program}_at ${fishQuoted(path)}`)}`;
  return `# fish completion of ${program}: ${program} completion fish | source
function __${program}_at
    set -l place ''
    for word in (commandline -opc)[2..-1]
        switch "$place $word"
            case ${pathsOf(places).map(fishQuoted).join(' ')}
                set place "$place $word"
        end
    end
    test "$place" = "$argv[1]"
end
${places
  .flatMap((place) => [
    ...place.commands.map(
      ({ name, description }) => `complete -c ${program} -f ${at(place)} -a ${fishQuoted(name)} -d ${fishQuoted(description)}`,
    ),
    ...place.values.map((value) => `complete -c ${program} -f ${at(place)} -a ${fishQuoted(value)}`),
    ...place.options.map(({ names, description, takesValue, choices }) => {
      const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(' ');
      const value = choices.length > 0 ? ` -x -a ${fishQuoted(choices.join(' '))}` : takesValue ? ' -r' : '';
      return `complete -c ${program} ${at(place)} ${flags}${value} -d ${fishQuoted(description)}`;
    }),
  ])
  .join('\n')}
`;
}

function pathsOf(places: readonly Place[]): string[] {
  return places.flatMap(({ path }) => (path === '' ? [] : [path]));
}

/** Cases for the value of an option, of which many have none that is known. */
function optionsWithValue(places: readonly Place[], act: (choices: readonly string[]) => string): string {
  const byAction = new Map<string, string[]>();
  for (const { path, options } of places) {
    for (const { names, takesValue, choices } of options) {
      if (!takesValue) continue;
      const action = act(choices);
      byAction.set(action, [...(byAction.get(action) ?? []), ...names.map((name) => quoted(`${path} ${name}`))]);
    }
  }
  return [...byAction].map(([action, cases]) => `    ${cases.join(' | ')}) ${action} ;;`).join('\n');
}

function caseOf(indent: string, path: string, action: string, count: number): string[] {
  return count === 0 ? [] : [`${indent}${quoted(path)}) ${action} ;;`];
}

/** A word of bash and zsh. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
