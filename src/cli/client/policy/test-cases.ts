import { isMap, isNode, isScalar, LineCounter, parseAllDocuments } from 'yaml';
import type { Document } from 'yaml';
import { z } from 'zod';
import { checkActions, checkStages } from '../../../contract/guardrails.ts';
import { environmentName } from '../../../contract/environments.ts';
import type { PolicyFault, PolicyFile } from '../../../contract/policies.ts';
import { validationMessage } from '../../../platform/http/validation-message.ts';

const testCase = z.strictObject({
  name: z.string().min(1),
  text: z.string(),
  stage: z.enum(checkStages).default('input'),
  environment: environmentName.optional(),
  expect: z.strictObject({
    action: z.enum(checkActions),
    text: z.string().optional(),
    triggered: z.array(z.string()).optional(),
  }),
});

/** A text with the answer that it should have, and where it stands. */
export type TestCase = z.output<typeof testCase> & { path: string; line: number };

/** Reads test files: each document is a case; empty ones are skipped. */
export function readTestCases(files: readonly PolicyFile[]): { cases: TestCase[]; faults: PolicyFault[] } {
  const cases: TestCase[] = [];
  const faults: PolicyFault[] = [];
  for (const { path, content } of files) {
    const lines = new LineCounter();
    const placed = (offset: number, message: string): PolicyFault => {
      const { line, col } = lines.linePos(offset);
      return { path, line: Math.max(1, line), column: Math.max(1, col), message };
    };
    const documents = parseAllDocuments(content, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
    for (const document of Array.isArray(documents) ? documents : []) {
      if (document.errors.length > 0) {
        faults.push(...document.errors.map(({ pos, message }) => placed(pos[0], message)));
        continue;
      }
      if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) continue;
      const start = document.contents.range[0];
      const parsed = testCase.safeParse(valueOf(document), { reportInput: true });
      if (parsed.success) cases.push({ ...parsed.data, path, line: placed(start, '').line });
      else {
        const found = parsed.error.issues.flatMap((issue) => faultsOf(document, issue));
        const inOrder = found
          .map((fault) => ({ ...fault, offset: fault.offset ?? start }))
          .toSorted((a, b) => a.offset - b.offset);
        faults.push(...inOrder.map(({ offset, message }) => placed(offset, message)));
      }
    }
  }
  return { cases, faults };
}

/** The value of a document; undefined where its aliases expand too far. */
function valueOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    return undefined;
  }
}

interface DocumentFault {
  /** Undefined: the document's own. */
  offset: number | undefined;
  message: string;
}

/** The faults of one issue: unknown fields at their keys, a missing one at its mapping, a wrong value at the value. */
function faultsOf(document: Document, issue: z.core.$ZodIssue): DocumentFault[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      offset: keyOffset(document, path, key),
      message: `\`${[...path, key].join('.')}\` is not a known field; leave it out.`,
    }));
  }
  const offset = offsetOf(document, path);
  if (path.length === 0) return [{ offset, message: 'A test case is a mapping of name, text and expect.' }];
  const message = validationMessage(issue as z.core.$ZodRawIssue) ?? issue.message;
  return [{ offset, message: `\`${path.join('.')}\` ${message}.` }];
}

/** Where a key of the mapping at a path is. */
function keyOffset(document: Document, path: readonly PropertyKey[], name: string): number | undefined {
  const mapping: unknown = path.length === 0 ? document.contents : document.getIn(path.map(String), true);
  const keys = isMap(mapping) ? mapping.items.map(({ key }) => key) : [];
  const key = keys.find((one) => isScalar(one) && String(one.value) === name);
  return isNode(key) ? key.range?.[0] : undefined;
}

/** Where the value at a path is; where it is missing, the nearest one around it. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length).map(String), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return undefined;
}
