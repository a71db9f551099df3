/** A reference to another prompt, `{{> name }}`, `{{> name@label }}` or `{{> name#3 }}`. */
export interface PromptReference {
  kind: 'reference';
  /** The source text, with its braces. */
  text: string;
  name: string;
  version: number | null;
  /** Without version and label, the reference means production, or else latest. */
  label: string | null;
}

/** A part of a prompt. `text` is the source text: the texts of all parts concatenated are the prompt. */
export type PromptPart = { kind: 'text'; text: string } | { kind: 'variable'; text: string; name: string } | PromptReference;

const closing = '}}';
// All quantifiers are bounded, which bounds backtracking.
const variable = /(?<![{$])\{\{\s{0,20}([\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]{0,99})\s{0,20}\}\}/uy;
/** They belong to other template languages. */
const reserved: ReadonlySet<string> = new Set(['else', 'this']);

/**
 * Splits a prompt into text, variables and references. References are parsed exactly as in the service. Variables are left to the
 * application by the service; here a variable is a name in double braces, as the service fills it (src/features/prompts/template-names.ts). What
 * follows a backslash is text.
 */
export function promptParts(text: string): PromptPart[] {
  const parts: PromptPart[] = [];
  let from = 0;
  const lastClosing = text.lastIndexOf(closing);
  for (let at = text.indexOf('{{'); at >= 0 && at < lastClosing;) {
    const part = text[at - 1] === '\\' ? null : text[at + 2] === '>' ? referenceAt(text, at) : variableAt(text, at);
    if (part === null) {
      at = text.indexOf('{{', at + 1);
      continue;
    }
    if (at > from) parts.push({ kind: 'text', text: text.slice(from, at) });
    parts.push(part);
    from = at + part.text.length;
    at = text.indexOf('{{', from);
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) });
  return parts;
}

function variableAt(text: string, at: number): PromptPart | null {
  variable.lastIndex = at;
  const found = variable.exec(text);
  const name = found?.[1] ?? '';
  return found && !reserved.has(name) ? { kind: 'variable', text: found[0], name } : null;
}

function referenceAt(text: string, at: number): PromptReference | null {
  const end = text.indexOf(closing, at + 3);
  if (end < 0) return null;
  return { kind: 'reference', text: text.slice(at, end + closing.length), ...targetOf(text.slice(at + 3, end).trim()) };
}

/** The name ends at the last `#` before digits, or else at the last `@`. */
function targetOf(target: string): Pick<PromptReference, 'name' | 'version' | 'label'> {
  const hash = target.lastIndexOf('#');
  const digits = target.slice(hash + 1);
  if (hash > 0 && /^\d{1,9}$/.test(digits))
    return { name: target.slice(0, hash).trimEnd(), version: Number(digits), label: null };
  const at = target.lastIndexOf('@');
  const label = target.slice(at + 1).trimStart();
  if (at > 0 && label !== '') return { name: target.slice(0, at).trimEnd(), version: null, label };
  return { name: target, version: null, label: null };
}

/** The distinct names of the variables, in order. */
export function variablesOf(parts: readonly PromptPart[]): string[] {
  return [...new Set(parts.flatMap((part) => (part.kind === 'variable' ? [part.name] : [])))];
}

/** The distinct references, in order. */
export function referencesOf(parts: readonly PromptPart[]): PromptReference[] {
  const found = new Map<string, PromptReference>();
  for (const part of parts) if (part.kind === 'reference' && !found.has(referenceKey(part))) found.set(referenceKey(part), part);
  return [...found.values()];
}

/** Equal for references to the same version. */
export function referenceKey({ name, version, label }: PromptReference): string {
  return JSON.stringify([name, version, label]);
}
