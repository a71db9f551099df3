import type { Generator } from './resample.ts';

/** Classes of fewer values are drawn one value at a time: a binomial number takes as long as some 50 draws. */
const leastSize = 64;
/** Values of small classes among which is drawn in turn, so that their counts are in the processor's cache. */
const blockSize = 2_048;

/** Values in classes, of which a resample needs only how often each class is drawn. */
export interface Classes {
  /** Of each value. */
  classOf: Int32Array;
  /** Values of each class. */
  sizes: Int32Array;
}

/** Classes of values with equal keys, in the order in which they first occur. @returns also the first value of each class */
export function classesOf(keys: Iterable<number | string>): Classes & { firsts: Int32Array } {
  const known = new Map<number | string, number>();
  const classOf: number[] = [];
  const sizes: number[] = [];
  const firsts: number[] = [];
  for (const key of keys) {
    let found = known.get(key);
    if (found === undefined) {
      found = known.size;
      known.set(key, found);
      firsts.push(classOf.length);
      sizes.push(0);
    }
    classOf.push(found);
    sizes[found] = (sizes[found] ?? 0) + 1;
  }
  return { classOf: Int32Array.from(classOf), sizes: Int32Array.from(sizes), firsts: Int32Array.from(firsts) };
}

/**
 * Draws resamples of as many values as there are, with replacement, as how often each class is drawn: the numbers of large classes as binomial numbers, one
 * given the ones before, and the values of all small classes one by one, in blocks. Their distribution is that of drawing every value.
 */
export class Resampler {
  readonly #generator: Generator;
  readonly #sizes: Int32Array;
  /** Classes whose numbers are binomial. */
  readonly #large: number[];
  /** The classes of the values of all other classes. */
  readonly #others: Int32Array;
  readonly #values: number;

  constructor({ classOf, sizes }: Classes, generator: Generator) {
    this.#generator = generator;
    this.#sizes = sizes;
    this.#values = classOf.length;
    this.#large = Array.from(sizes.keys()).filter((one) => (sizes[one] ?? 0) >= leastSize);
    this.#others = classOf.filter((one) => (sizes[one] ?? 0) < leastSize);
  }

  /** Fills `counts`, one for each class, with the numbers of the next resample. */
  draw(counts: Int32Array): void {
    counts.fill(0);
    let draws = this.#values;
    let values = this.#values;
    for (const one of this.#large) {
      const size = this.#sizes[one] ?? 0;
      const drawn = size === values ? draws : binomial(this.#generator, draws, size / values);
      counts[one] = drawn;
      draws -= drawn;
      values -= size;
    }
    for (let start = 0; start < this.#others.length; start += blockSize) {
      const block = this.#others.subarray(start, start + blockSize);
      const drawn = block.length === values ? draws : binomial(this.#generator, draws, block.length / values);
      drawValues(this.#generator, block, drawn, counts);
      draws -= drawn;
      values -= block.length;
    }
  }
}

/** Draws among values of equal chance and counts their classes. The generator is inlined: calls to it would take half of the time. */
function drawValues(generator: Generator, classes: Int32Array, draws: number, counts: Int32Array): void {
  const scale = classes.length / 4_294_967_296;
  let [a = 0, b = 0, c = 0, counter = 0] = generator;
  for (let draw = 0; draw < draws; draw += 1) {
    const random = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + random) | 0;
    const one = classes[((random >>> 0) * scale) | 0] ?? 0;
    counts[one] = (counts[one] ?? 0) + 1;
  }
  generator.set([a, b, c, counter]);
}

function next(generator: Generator): number {
  const [a = 0, b = 0, c = 0, counter = 0] = generator;
  const random = (a + b + counter) | 0;
  generator[0] = b ^ (b >>> 9);
  generator[1] = (c + (c << 3)) | 0;
  generator[2] = (((c << 21) | (c >>> 11)) + random) | 0;
  generator[3] = (counter + 1) | 0;
  return random >>> 0;
}

/** A uniform number of 53 bits in (0, 1). */
function uniform(generator: Generator): number {
  const high = next(generator) >>> 5;
  const low = next(generator) >>> 6;
  return (high * 67_108_864 + low + 0.5) / 9_007_199_254_740_992;
}

/** How many of `n` trials succeed that have the chance `p`. V8 has its own logarithms and powers, so the answer does not depend on the machine. */
function binomial(generator: Generator, n: number, p: number): number {
  if (p > 0.5) return n - binomial(generator, n, 1 - p);
  return n * p < 10 ? byInversion(generator, n, p) : byRejection(generator, n, p);
}

/** Adds up the chances of 0, 1, 2, ... successes. For few expected ones. */
function byInversion(generator: Generator, n: number, p: number): number {
  const odds = p / (1 - p);
  let chance = (1 - p) ** n;
  let left = uniform(generator);
  for (let successes = 0; successes < n; successes += 1) {
    if (left < chance) return successes;
    left -= chance;
    chance *= (odds * (n - successes)) / (successes + 1);
  }
  return n;
}

/** Algorithm BTRS of W. Hörmann, "The generation of binomial random variates", 1993: transformed rejection. For 10 expected successes or more. */
function byRejection(generator: Generator, n: number, p: number): number {
  const odds = p / (1 - p);
  const deviation = Math.sqrt(n * p * (1 - p));
  const b = 1.15 + 2.53 * deviation;
  const a = -0.0873 + 0.0248 * b + 0.01 * p;
  const alpha = (2.83 + 5.1 / b) * deviation;
  const quick = 0.92 - 4.2 / b;
  const mode = Math.floor((n + 1) * p);
  for (;;) {
    const u = uniform(generator) - 0.5;
    const v = uniform(generator);
    const distance = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / distance + b) * u + n * p + 0.5);
    if (distance >= 0.07 && v <= quick) return k;
    if (k < 0 || k > n) continue;
    const bound =
      (mode + 0.5) * Math.log((mode + 1) / (odds * (n - mode + 1))) +
      (n + 1) * Math.log((n - mode + 1) / (n - k + 1)) +
      (k + 0.5) * Math.log((odds * (n - k + 1)) / (k + 1)) +
      stirlingTail(mode) +
      stirlingTail(n - mode) -
      stirlingTail(k) -
      stirlingTail(n - k);
    if (Math.log((v * alpha) / (a / (distance * distance) + b)) <= bound) return k;
  }
}

/** log(k!) less its approximation by Stirling, for k from 0 to 9. */
const tails = Float64Array.from({ length: 10 }, (_, k) => {
  let logFactorial = 0;
  for (let factor = 2; factor <= k; factor += 1) logFactorial += Math.log(factor);
  return logFactorial - ((k + 0.5) * Math.log(k + 1) - (k + 1) + 0.5 * Math.log(2 * Math.PI));
});

function stirlingTail(k: number): number {
  if (k < tails.length) return tails[k] ?? 0;
  const square = (k + 1) ** 2;
  return (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (k + 1);
}
