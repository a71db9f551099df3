import { hash } from 'node:crypto';

/** The first eight bytes of an id's MD5 as two unsigned halves, equal to ClickHouse's `halfMD5`. */
export type IdHash = readonly [high: number, low: number];

/** The hash of a trace's or a score's id within its project. */
export function idHash(projectId: string, id: string): IdHash {
  const digest = hash('md5', projectId + id, 'buffer');
  return [digest.readUInt32BE(0), digest.readUInt32BE(4)];
}

const bitsAnId = 12;
const probes = 8;
/** A block is one cache line: all probes of an id fall into it. */
const blockWords = 16;
const firstCapacity = 1 << 16;
/** Capacity for some 90 million ids; above it the newest layer fills up and false positives increase. */
const maxBytes = 128 * 1024 * 1024;

/**
 * A blocked Bloom filter (Putze, Sanders, Singler, "Cache-, Hash- and Space-Efficient Bloom Filters") in layers of doubling size. It has no
 * false negatives; about 1 in 100 unknown ids is a false positive.
 */
export class IdBloomFilter {
  readonly #layers: Layer[] = [new Layer(firstCapacity)];
  #bytes = new Layer(firstCapacity).bytes;

  add(id: IdHash): void {
    let layer = this.#newest();
    if (layer.full && this.#bytes + 2 * layer.bytes <= maxBytes) {
      layer = new Layer(layer.capacity * 2);
      this.#layers.push(layer);
      this.#bytes += layer.bytes;
    }
    layer.add(id);
  }

  mayHold(id: IdHash): boolean {
    return this.#layers.some((layer) => layer.mayHold(id));
  }

  #newest(): Layer {
    return this.#layers.at(-1) as Layer;
  }
}

class Layer {
  readonly capacity: number;
  readonly #words: Uint32Array;
  #count = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#words = new Uint32Array(Math.ceil((capacity * bitsAnId) / 32 / blockWords) * blockWords);
  }

  get bytes(): number {
    return this.#words.byteLength;
  }

  get full(): boolean {
    return this.#count >= this.capacity;
  }

  add([high, low]: IdHash): void {
    this.#count += 1;
    const block = this.#block(high);
    for (let probe = 0, bits = low; probe < probes; probe++, bits = scrambled(bits)) {
      const word = block + (bits >>> 28);
      this.#words[word] = (this.#words[word] ?? 0) | (1 << ((bits >>> 23) & 31));
    }
  }

  mayHold([high, low]: IdHash): boolean {
    const block = this.#block(high);
    for (let probe = 0, bits = low; probe < probes; probe++, bits = scrambled(bits)) {
      if (((this.#words[block + (bits >>> 28)] ?? 0) & (1 << ((bits >>> 23) & 31))) === 0) return false;
    }
    return true;
  }

  #block(high: number): number {
    return (high % (this.#words.length / blockWords)) * blockWords;
  }
}

/** The next probe's bits. */
function scrambled(bits: number): number {
  const mixed = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 12)) + 0x9e3779b9;
}
