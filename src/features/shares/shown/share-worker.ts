import { getPriority, setPriority } from 'node:os';
import { LRUCache } from 'lru-cache';
import { checkText, compileBundle, stepsPerGuardrail } from '../../../../packages/guardrails/src/index.ts';
import type { Bundle, Guardrail } from '../../../../packages/guardrails/src/index.ts';
import { serveParent } from '../../../platform/thread-rpc/index.ts';
import type { SharedRecord } from './shared-fields.ts';
import { shownValue } from './shown-value.ts';
import type { Find } from './shown-value.ts';
import { writeRecord } from './write-record.ts';

/** Records as JSON texts. */
export interface WrittenRecords {
  texts: string[];
  /** Characters of their payloads that are shown. */
  shown: number;
  /** Whether something is left out. */
  cut: boolean;
}

/** The functions of the thread that writes shared traces. `key` names guardrails; null: nothing is redacted. Null is the answer where they are not loaded. */
export interface ShareFunctions {
  /** Keeps guardrails compiled under a key. */
  load(key: string, guardrails: readonly Guardrail[]): void;
  /** The places of those ids in the list in which something is found. */
  ids(key: string, ids: readonly string[]): number[] | null;
  /** @param most characters of payloads that may be shown */
  write(key: string | null, records: readonly SharedRecord[], most: number): WrittenRecords | null;
}

/** Added to the priority of the process: the event loop comes before this thread. */
const niceness = 5;
const bundles = new LRUCache<string, Bundle>({ max: 100 });
/** Ids that are searched together. */
const idsTogether = 500;

serveParent<ShareFunctions>(() => {
  // On Linux the priority is that of the calling thread, elsewhere that of the whole process.
  if (process.platform === 'linux') setPriority(Math.min(19, getPriority() + niceness));
  return {
    load(key, guardrails) {
      bundles.set(key, compileBundle(guardrails));
    },
    ids(key, ids) {
      const find = findOf(key);
      return find ? foundIn(ids, find) : null;
    },
    write(key, records, most) {
      const find = key === null ? null : findOf(key);
      if (find === undefined) return null;
      const written: WrittenRecords = { texts: [], shown: 0, cut: false };
      for (const record of records) {
        const { json, shown, cut } = writeRecord(record, most - written.shown, find);
        written.texts.push(json);
        written.shown += shown;
        written.cut ||= cut;
      }
      return written;
    },
  };
});

/** What loaded guardrails replace; undefined when they are not loaded. */
function findOf(key: string): Find | undefined {
  const bundle = bundles.get(key);
  if (!bundle) return undefined;
  // All guardrails of a check share twice what one may take.
  const steps = stepsPerGuardrail * Math.max(1, bundle.guardrails.length);
  return (text) => {
    const { results, replacements } = checkText(bundle, { text, stage: 'output' }, { steps });
    return results.some(({ failed }) => failed) ? null : replacements;
  };
}

/** The places of the ids in which something is found; of all that cannot be searched. */
function foundIn(ids: readonly string[], find: Find): number[] {
  const found: number[] = [];
  for (let at = 0; at < ids.length; at += idsTogether) {
    const some = ids.slice(at, at + idsTogether);
    const shown = shownValue(some, Infinity, find);
    const texts = shown === null ? [] : (JSON.parse(shown.json) as string[]);
    some.forEach((id, index) => {
      if (texts[index] !== id) found.push(at + index);
    });
  }
  return found;
}
