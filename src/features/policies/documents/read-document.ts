import { measureConfig } from '../../../../packages/guardrails/src/index.ts';
import type { Problem } from '../../../../packages/guardrails/src/index.ts';
import type { z } from 'zod';
import { defaultActionOf } from '../../../contract/guardrails.ts';
import { policyDocuments, policyKinds } from '../../../contract/policies.ts';
import type { PolicyKind } from '../../../contract/policies.ts';
import type { GuardrailSpec, Specification } from '../../policy-revisions/index.ts';
import { pointerSteps } from '../../../platform/json/index.ts';
import { cutText } from '../../../platform/text/index.ts';
import { faultOfIssue, withNearest } from './document-fault.ts';
import { findPlace, plainValue } from './placed-value.ts';
import { echo } from './echo.ts';
import type { PlacedValue, TextFault } from './placed.ts';

/** Something outside the document that it names. */
export interface Reference {
  kind: 'environment' | 'connection';
  name: string;
  offset: number;
}

/** The policy and errors of a document. */
export interface ReadDocument {
  /** Null where it has faults. */
  policy: Specification | null;
  /** Its kind and name, also where it has faults elsewhere. */
  named: { kind: PolicyKind; name: string; offset: number } | null;
  references: Reference[];
  faults: TextFault[];
}

/** Reads a document as a policy, with every fault. */
export function readDocument(root: PlacedValue): ReadDocument {
  const value = plainValue(root);
  if (root.type !== 'mapping') {
    const message = `A policy is a mapping with apiVersion, kind, metadata and spec; this is ${echo(value)}.`;
    return { policy: null, named: null, references: [], faults: [{ offset: root.offset, message }] };
  }
  const kind = kindOf(root);
  if (kind === null) return { policy: null, named: null, references: [], faults: faultsWithoutKind(root, value) };
  const { data, error } = policyDocuments[kind].safeParse(value, { reportInput: true });
  const faults = (error?.issues ?? []).flatMap((issue) => faultOfIssue(root, issue));
  const references = kind === 'Guardrail' ? referencesOf(root) : [];
  const measured = kind === 'Guardrail' ? measuredConfig(root) : { faults: [], size: 0 };
  faults.push(...measured.faults);
  const complete = data && faults.length === 0;
  return { policy: complete ? specificationOf(data, measured.size) : null, named: namedOf(root, kind), references, faults };
}

function kindOf(root: PlacedValue): PolicyKind | null {
  const { value } = findPlace(root, ['kind']);
  return policyKinds.find((kind) => value?.type === 'scalar' && value.value === kind) ?? null;
}

/** The faults of a document whose kind is missing or unknown; what it should hold is not known. */
function faultsWithoutKind(root: PlacedValue, value: unknown): TextFault[] {
  const { error } = policyDocuments.Environment.safeParse(value, { reportInput: true });
  const issues = (error?.issues ?? []).filter(
    ({ code, path }) => path.length === 0 || path[0] === 'apiVersion' || (path[0] === 'metadata' && code !== 'invalid_format'),
  );
  const faults = issues.flatMap((issue) => faultOfIssue(root, issue));
  const { value: given, offset } = findPlace(root, ['kind']);
  if (!given) faults.push({ offset: root.offset, message: `\`kind\` is required; it is one of ${policyKinds.join(', ')}.` });
  else {
    const shown = plainValue(given);
    faults.push({ offset, message: `There is no kind ${echo(shown)}. Kinds are ${policyKinds.join(' and ')}.` });
  }
  return faults;
}

function namedOf(root: PlacedValue, kind: PolicyKind): ReadDocument['named'] {
  const { value, offset } = findPlace(root, ['metadata', 'name']);
  return value?.type === 'scalar' && typeof value.value === 'string' ? { kind, name: value.value, offset } : null;
}

function specificationOf(document: z.output<(typeof policyDocuments)[PolicyKind]>, compiledSize: number): Specification {
  const { name } = document.metadata;
  if (document.kind === 'Environment') return { kind: 'Environment', name, spec: document.spec };
  const { displayName = name, action = defaultActionOf(document.spec.type), config, ...rest } = document.spec;
  // As it is stored and read back: 0 for -0, and nothing shared by aliases.
  const stored: unknown = JSON.parse(JSON.stringify(config));
  return {
    kind: 'Guardrail',
    name,
    spec: { displayName, action, config: stored, ...rest } satisfies GuardrailSpec,
    compiledSize,
  };
}

/** The faults in `config`, and an action that the type does not take; and the size of the compiled guardrail in states. */
function measuredConfig(root: PlacedValue): { faults: TextFault[]; size: number } {
  const { type: typeRule, action: actionRule } = policyDocuments.Guardrail.shape.spec.shape;
  const valueAt = (name: string): unknown => {
    const { value } = findPlace(root, ['spec', name]);
    return value && plainValue(value);
  };
  const type = typeRule.safeParse(valueAt('type'));
  const config = valueAt('config') ?? {};
  const isMapping = typeof config === 'object' && !Array.isArray(config);
  if (!type.success || !isMapping || findPlace(root, ['spec', 'config']).value?.type === 'scalar') return { faults: [], size: 0 };
  const action = actionRule.safeParse(valueAt('action')).data ?? defaultActionOf(type.data);
  const { problems, size } = measureConfig({ type: type.data, action, config });
  return { faults: problems.flatMap((problem) => faultOfProblem(root, problem)), size };
}

function faultOfProblem(root: PlacedValue, { path, message, known }: Problem): TextFault[] {
  const steps = ['spec', ...pointerSteps(path)];
  const field = steps.join('.');
  const { offset, keyOffset, value } = findPlace(root, steps);
  if (known) {
    const nearest = withNearest(steps.at(-1) ?? '', known);
    return [{ offset: keyOffset ?? offset, message: `There is no field \`${cutText(field, 200)}\`. ${nearest}` }];
  }
  if (path === '/action') return [{ offset, message }];
  if (value) {
    // A path inside a JSON Schema may be as long as its file.
    const name = path.slice(1).replaceAll('/', '.');
    const full = message.replace(`\`${name}\``, () => `\`${cutText(`spec.${name}`, 200, '…')}\``).replace(/\.$/, '');
    return [{ offset, message: `${full}; got ${echo(plainValue(value))}.` }];
  }
  // A field of something that is no mapping has its fault already.
  const parent = findPlace(root, steps.slice(0, -1)).value;
  return parent && parent.type !== 'mapping' ? [] : [{ offset, message: `\`${field}\` is required.` }];
}

/** The environments and the connection that a guardrail names. */
function referencesOf(root: PlacedValue): Reference[] {
  const references: Reference[] = [];
  const add = (kind: Reference['kind'], value: PlacedValue | undefined) => {
    if (value?.type !== 'scalar' || typeof value.value !== 'string' || value.value === '') return;
    references.push({ kind, name: value.value, offset: value.offset });
  };
  const environments = findPlace(root, ['spec', 'environments']).value;
  if (environments?.type === 'list') for (const item of environments.items) add('environment', item);
  const type = findPlace(root, ['spec', 'type']).value;
  if (type?.type === 'scalar' && type.value === 'llm_judge')
    add('connection', findPlace(root, ['spec', 'config', 'connection']).value);
  return references;
}
