import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { canonicalJson } from '../../../platform/json/index.ts';

/** A record of a population: JSON that RFC 8785 has a form of. */
export type EvidenceRecord = Readonly<Record<string, unknown>>;

/** Records that a sample has at most. */
const maxSample = 25;
/** Populations up to this size are listed whole. */
export const maxListed = 20;

interface Drawn {
  /** Its rank in the draw: the smallest are drawn. */
  rank: string;
  index: number;
  record: EvidenceRecord;
}

/** A population as a pack describes it. */
export interface PopulationSummary {
  count: number;
  sha256: string;
  /** In the order of the population. */
  sample: EvidenceRecord[];
}

/**
 * Counts, hashes and samples the records of a population one by one, in constant memory (docs/evidence-format.md, "Evidence"). A record is drawn by the
 * SHA-256 of seed and record: the same population and seed give the same sample, whatever the order of the records.
 */
export class Population {
  readonly #seed: string;
  readonly #hash: Hash = createHash('sha256');
  /** By rank, ascending. */
  #drawn: Drawn[] = [];
  #count = 0;

  /** @param seed stated in the description of the evidence */
  constructor(seed: string) {
    this.#seed = seed;
  }

  get count(): number {
    return this.#count;
  }

  add(record: EvidenceRecord): void {
    this.addText(canonicalJson(record), record);
  }

  /** @param canonical the RFC 8785 form of the record */
  addText(canonical: string, record: EvidenceRecord): void {
    this.#hash.update(`${canonical}\n`);
    const rank = createHash('sha256').update(`${this.#seed}\n${canonical}`).digest('hex');
    const last = this.#drawn.at(-1);
    if (this.#drawn.length < maxSample || last === undefined || rank < last.rank)
      this.#draw({ rank, index: this.#count, record });
    this.#count += 1;
  }

  /** Ends the population. */
  summary(): PopulationSummary {
    const sample = this.#drawn.toSorted((left, right) => left.index - right.index).map(({ record }) => record);
    return { count: this.#count, sha256: this.#hash.digest('hex'), sample };
  }

  #draw(drawn: Drawn): void {
    const place = this.#drawn.findIndex(({ rank }) => rank > drawn.rank);
    if (place === -1) this.#drawn.push(drawn);
    else this.#drawn.splice(place, 0, drawn);
    if (this.#drawn.length > maxSample) this.#drawn.pop();
  }
}
