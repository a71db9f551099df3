import { OverBudget } from '../budget.ts';
import type { Budget } from '../budget.ts';
import { isObject } from './schema-document.ts';
import type { SchemaObject } from './schema-document.ts';

/** Largest array whose items are compared with each other. */
const maxUniqueItems = 10_000;
/** Steps of a look at one name, of a value or a schema. */
export const stepsPerName = 16;
/** Steps of writing one value as text, and of putting one member in order. */
const stepsPerValue = 10;

interface Context {
  budget: Budget;
  matches(pattern: string, text: string): boolean;
  canonical(value: unknown): string;
}

/** Whether the keywords of a schema that contain no schemas hold for a value. `format` says nothing, as draft 2020-12 has it. */
export function assertionsHold(schema: SchemaObject, value: unknown, context: Context): boolean {
  const { type, enum: values, const: constant } = schema;
  if (Array.isArray(type)) context.budget.spend(type.length * stepsPerName);
  if (type !== undefined && ![type].flat().some((name) => isOfType(value, name))) return false;
  if (constant !== undefined && context.canonical(constant) !== context.canonical(value)) return false;
  if (Array.isArray(values)) {
    const wanted = context.canonical(value);
    if (!values.some((candidate) => context.canonical(candidate) === wanted)) return false;
  }
  if (typeof value === 'number') return numberHolds(schema, value);
  if (typeof value === 'string') return stringHolds(schema, value, context);
  if (Array.isArray(value)) return between(schema, 'Items', value.length) && uniqueHolds(schema, value, context);
  if (!isObject(value)) return true;
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  context.budget.spend(required.length * stepsPerName);
  return membersHold(schema, value, context) && required.every((name) => Object.hasOwn(value, String(name)));
}

function membersHold(schema: SchemaObject, value: SchemaObject, { budget }: Context): boolean {
  if (schema['minProperties'] === undefined && schema['maxProperties'] === undefined) return true;
  const { length } = Object.keys(value);
  budget.spend(length * stepsPerName);
  return between(schema, 'Properties', length);
}

/** A value as JSON with the members of objects in order: equal values have equal texts. Errors: OverBudget. */
export function canonical(value: unknown, budget: Budget, depth = 0): string {
  budget.spend(stepsPerValue);
  if (depth > 400) throw new OverBudget();
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, budget, depth + 1)).join(',')}]`;
  if (isObject(value)) {
    const members = Object.keys(value).sort();
    budget.spend(members.length * stepsPerValue);
    return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name], budget, depth + 1)}`).join(',')}}`;
  }
  if (typeof value === 'string') budget.spend(value.length);
  // -0 and 0 are one number.
  return value === 0 ? '0' : JSON.stringify(value);
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  return type === 'object' ? isObject(value) : typeof value === type;
}

function numberHolds(schema: SchemaObject, value: number): boolean {
  const {
    minimum = -Infinity,
    maximum = Infinity,
    exclusiveMinimum = -Infinity,
    exclusiveMaximum = Infinity,
    multipleOf,
  } = schema;
  if (value < Number(minimum) || value > Number(maximum)) return false;
  if (value <= Number(exclusiveMinimum) || value >= Number(exclusiveMaximum)) return false;
  if (multipleOf === undefined) return true;
  const quotient = value / Number(multipleOf);
  // 0.3 is a multiple of 0.1, though not in binary fractions.
  return Math.abs(quotient - Math.round(quotient)) <= 1e-9;
}

function stringHolds(schema: SchemaObject, value: string, context: Context): boolean {
  const { pattern } = schema;
  context.budget.spend(value.length >> 2);
  if (schema['minLength'] !== undefined || schema['maxLength'] !== undefined) {
    context.budget.spend(value.length);
    if (!between(schema, 'Length', codePointsOf(value))) return false;
  }
  return typeof pattern !== 'string' || context.matches(pattern, value);
}

function codePointsOf(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) count += 1;
  return count;
}

function uniqueHolds(schema: SchemaObject, value: readonly unknown[], context: Context): boolean {
  if (schema['uniqueItems'] !== true) return true;
  if (value.length > maxUniqueItems) throw new OverBudget();
  return new Set(value.map((item) => context.canonical(item))).size === value.length;
}

/** Whether a count is between the keywords `min...` and `max...`. */
function between(schema: SchemaObject, what: string, count: number): boolean {
  const { [`min${what}`]: least = 0, [`max${what}`]: most = Infinity } = schema;
  return count >= Number(least) && count <= Number(most);
}
