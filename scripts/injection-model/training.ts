import { distinctFeatures, featureCount, isJudged, normOf } from '../../packages/guardrails/src/injection/features.ts';
import { plainText } from '../../packages/guardrails/src/injection/plain-text.ts';
import { segmentsOf } from '../../packages/guardrails/src/injection/segments.ts';
import { foldCase } from '../../packages/guardrails/src/fold-case.ts';

/** A labelled text. */
export interface LabelledText {
  text: string;
  injection: boolean;
}

/** The weights of features, and the constant. */
export interface LinearModel {
  weights: Float64Array;
  bias: number;
}

/** A segment with its features; each counts as 1 / norm. */
interface Example {
  /** The segment, by which equal ones are known. */
  text: string;
  features: readonly number[];
  norm: number;
}

interface Labelled extends Example {
  label: 1 | -1;
  cost: number;
}

/** Rounds in which the segments that make a text an injection are chosen, and passes over the examples in each. */
const rounds = 5;
const passes = 30;
/** Margin from which a further segment of an injected text counts. */
const surely = 0.5;

/** The segments of a text that the model judges. */
export function examplesOf(text: string): Example[] {
  const form = plainText(text);
  const plain = foldCase(form.text);
  return segmentsOf(plain, form).segments.flatMap(({ start, end }) => {
    if (!isJudged(plain, start, end)) return [];
    const features: number[] = [];
    const count = distinctFeatures(plain, start, end, (index) => features.push(index));
    return [{ text: plain.slice(start, end).trim(), features, norm: normOf(count) }];
  });
}

/** The margin of a text: that of its segment with the largest; -Infinity without a segment. */
export function marginOf(model: LinearModel, examples: readonly Example[]): number {
  return Math.max(-Infinity, ...examples.map((example) => margin(model, example)));
}

function margin({ weights, bias }: LinearModel, { features, norm }: Example): number {
  let sum = 0;
  for (const index of features) sum += weights[index] ?? 0;
  return sum / norm + bias;
}

/**
 * Trains a model on labelled texts: a support vector machine with squared loss over segments (dual coordinate descent). A text is an injection if one of its
 * segments is: first all of them count that no benign text has, then those that the model finds, at least the likeliest.
 */
export function train(texts: readonly LabelledText[]): LinearModel {
  const bags = texts.map(({ text, injection }) => ({ injection, examples: examplesOf(text) }));
  const benign = new Set(bags.flatMap(({ injection, examples }) => (injection ? [] : examples.map(({ text }) => text))));
  const negatives = bags.flatMap(({ injection, examples }) => (injection ? [] : examples.map((one) => labelled(one, -1, 1))));
  const injected = bags.filter(({ injection }) => injection).map(({ examples }) => examples);
  let chosen = injected.map((examples) => examples.filter(({ text }) => !benign.has(text)));
  let model: LinearModel = { weights: new Float64Array(featureCount), bias: 0 };
  for (let round = 0; round < rounds; round += 1) {
    model = solve([...negatives, ...chosen.flatMap((examples) => examples.map((one) => labelled(one, 1, 1 / examples.length)))]);
    const next = injected.map((examples) => {
      const largest = marginOf(model, examples);
      return examples.filter((one) => margin(model, one) === largest || (margin(model, one) > surely && !benign.has(one.text)));
    });
    if (
      next.every(
        (examples, index) => examples.length === chosen[index]?.length && examples.every((one) => chosen[index]?.includes(one)),
      )
    )
      break;
    chosen = next;
  }
  return model;
}

function labelled(example: Example, label: 1 | -1, cost: number): Labelled {
  return { ...example, label, cost };
}

function solve(examples: readonly Labelled[]): LinearModel {
  const model = { weights: new Float64Array(featureCount), bias: 0 };
  const duals = new Float64Array(examples.length);
  const order = examples.map((_, index) => index);
  const random = generator(1);
  for (let pass = 0; pass < passes; pass += 1) {
    shuffle(order, random);
    let largest = 0;
    for (const index of order) {
      const example = examples[index];
      if (example) largest = Math.max(largest, step(model, example, duals, index));
    }
    if (largest < 1e-3) break;
  }
  return model;
}

/** Improves one dual variable. @returns by how much it changed */
function step(model: LinearModel, example: Labelled, duals: Float64Array, index: number): number {
  const { features, norm, label, cost } = example;
  const diagonal = 1 / (2 * cost);
  const dual = duals[index] ?? 0;
  const gradient = label * margin(model, example) - 1 + diagonal * dual;
  const next = Math.max(0, dual - gradient / (1 + features.length / (norm * norm) + diagonal));
  const change = (next - dual) * label;
  if (change === 0) return 0;
  duals[index] = next;
  for (const feature of features) model.weights[feature] = (model.weights[feature] ?? 0) + change / norm;
  model.bias += change;
  return Math.abs(change);
}

/** Numbers from 0 to 1, the same for the same seed. */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

/** Puts a list in a random order. */
export function shuffle(list: number[], random: () => number): void {
  for (let index = list.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [list[index], list[other]] = [list[other] ?? 0, list[index] ?? 0];
  }
}
