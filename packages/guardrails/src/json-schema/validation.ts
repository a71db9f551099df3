import { OverBudget } from '../budget.ts';
import type { Budget } from '../budget.ts';
import { isObject, isSchema } from './schema-document.ts';
import type { Schema, SchemaDocument, SchemaObject } from './schema-document.ts';
import { assertionsHold, canonical, stepsPerName } from './assertions.ts';

/** Deepest nesting of schemas and references. */
const maxDepth = 400;
/** Steps of each keyword that goes over the items of an array, for an item. */
const stepsPerItem = 15;
/** Steps of the keywords of members, for a member. */
const stepsPerMember = 60;
const memberKeywords = ['properties', 'patternProperties', 'additionalProperties', 'propertyNames', 'unevaluatedProperties'];

/** Which members and items of a value were looked at, for the `unevaluated` keywords. */
export interface Seen {
  properties: Set<string>;
  items: Set<number>;
}

/** Validates one value. Counts its steps. Errors: OverBudget. */
export class Validation {
  readonly budget: Budget;
  readonly #document: SchemaDocument;
  /** The members of parts of the schema, which are long to list. */
  readonly #listed = new Map<object, ReadonlyArray<[string, unknown]>>();
  #depth = 0;

  constructor(document: SchemaDocument, budget: Budget) {
    this.#document = document;
    this.budget = budget;
  }

  /** Whether a schema holds for a value; what it looked at is added to `seen`. */
  holds(schema: unknown, value: unknown, seen: Seen = emptySeen()): boolean {
    if (!isSchema(schema)) return true;
    if (typeof schema === 'boolean') return schema;
    this.budget.spend(20);
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new OverBudget();
    const own = emptySeen();
    const result =
      this.#reference(schema, value, own) &&
      ((this.#document.referencesStandAlone && this.#document.targets.has(schema)) || this.#ownKeywordsHold(schema, value, own));
    this.#depth -= 1;
    if (result) this.#merge(seen, own);
    return result;
  }

  /** Whether a text matches a pattern of the schema somewhere; an empty match counts. */
  matches(pattern: string, text: string): boolean {
    const compiled = this.#document.patterns.get(pattern);
    if (!compiled) return false;
    this.budget.spend((compiled.size * (text.length + 1)) >> 2);
    return compiled.test(text);
  }

  #ownKeywordsHold(schema: SchemaObject, value: unknown, seen: Seen): boolean {
    return (
      assertionsHold(schema, value, this) &&
      this.#combined(schema, value, seen) &&
      (!Array.isArray(value) || this.#items(schema, value, seen)) &&
      (!isObject(value) || this.#properties(schema, value, seen))
    );
  }

  #reference(schema: SchemaObject, value: unknown, seen: Seen): boolean {
    const target: Schema | undefined = this.#document.targets.get(schema);
    return target === undefined || this.holds(target, value, seen);
  }

  #combined(schema: SchemaObject, value: unknown, seen: Seen): boolean {
    const { allOf, anyOf, oneOf, not, if: condition } = schema;
    if (Array.isArray(allOf) && !allOf.every((part) => this.holds(part, value, seen))) return false;
    if (Array.isArray(anyOf) && anyOf.filter((part) => this.holds(part, value, seen)).length === 0) return false;
    if (Array.isArray(oneOf) && oneOf.filter((part) => this.holds(part, value, seen)).length !== 1) return false;
    if (not !== undefined && this.holds(not, value)) return false;
    if (condition === undefined) return true;
    return this.holds(this.holds(condition, value, seen) ? schema['then'] : schema['else'], value, seen);
  }

  #items(schema: SchemaObject, value: readonly unknown[], seen: Seen): boolean {
    const { items, contains, prefixItems } = schema;
    const prefix: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
    const rest = Array.isArray(items) ? schema['additionalItems'] : items;
    if (prefix.length > 0 || rest !== undefined) this.budget.spend(value.length * stepsPerItem);
    for (const [index, item] of prefix.length > 0 || rest !== undefined ? value.entries() : []) {
      const part = index < prefix.length ? prefix[index] : rest;
      if (part === undefined) continue;
      if (!this.holds(part, item)) return false;
      seen.items.add(index);
    }
    if (contains !== undefined) {
      this.budget.spend(value.length * stepsPerItem);
      const found = [...value.keys()].filter((index) => this.holds(contains, value[index]));
      const { minContains = 1, maxContains = Infinity } = schema;
      if (found.length < Number(minContains) || found.length > Number(maxContains)) return false;
      for (const index of found) seen.items.add(index);
    }
    if (schema['unevaluatedItems'] === undefined) return true;
    this.budget.spend(value.length * stepsPerItem);
    return [...value.keys()].every(
      (index) => seen.items.has(index) || this.#evaluate(seen.items, index, schema['unevaluatedItems'], value[index]),
    );
  }

  #properties(schema: SchemaObject, value: SchemaObject, seen: Seen): boolean {
    if (!this.#dependencies(schema, value, seen)) return false;
    if (memberKeywords.every((keyword) => schema[keyword] === undefined)) return true;
    const { properties, patternProperties, additionalProperties, propertyNames } = schema;
    const named = isObject(properties) ? properties : {};
    const patterns = isObject(patternProperties) ? this.#membersOf(patternProperties) : [];
    const members = Object.entries(value);
    this.budget.spend(members.length * stepsPerMember + patterns.length * stepsPerName);
    for (const [name, member] of members) {
      if (propertyNames !== undefined && !this.holds(propertyNames, name)) return false;
      const parts = patterns.filter(([pattern]) => this.matches(pattern, name)).map(([, part]) => part);
      if (Object.hasOwn(named, name)) parts.push(named[name]);
      if (parts.length === 0 && additionalProperties !== undefined) parts.push(additionalProperties);
      if (!parts.every((part) => this.holds(part, member))) return false;
      if (parts.length > 0) seen.properties.add(name);
    }
    const rest = schema['unevaluatedProperties'];
    if (rest === undefined) return true;
    return members.every(([name, member]) => seen.properties.has(name) || this.#evaluate(seen.properties, name, rest, member));
  }

  #dependencies(schema: SchemaObject, value: SchemaObject, seen: Seen): boolean {
    for (const key of ['dependentSchemas', 'dependentRequired', 'dependencies']) {
      if (!isObject(schema[key])) continue;
      const dependencies = this.#membersOf(schema[key]);
      this.budget.spend(dependencies.length * stepsPerName);
      for (const [name, needed] of dependencies) {
        if (!Object.hasOwn(value, name)) continue;
        if (
          Array.isArray(needed) ? !needed.every((other) => Object.hasOwn(value, String(other))) : !this.holds(needed, value, seen)
        )
          return false;
      }
    }
    return true;
  }

  #membersOf(part: SchemaObject): ReadonlyArray<[string, unknown]> {
    const members = this.#listed.get(part) ?? Object.entries(part);
    this.#listed.set(part, members);
    return members;
  }

  /** Adds what one schema looked at to what the schema around it did. */
  #merge(into: Seen, from: Seen): void {
    this.budget.spend((from.properties.size + from.items.size) * stepsPerItem);
    for (const name of from.properties) into.properties.add(name);
    for (const index of from.items) into.items.add(index);
  }

  #evaluate<T>(seen: Set<T>, key: T, schema: unknown, value: unknown): boolean {
    if (!this.holds(schema, value)) return false;
    seen.add(key);
    return true;
  }

  /** See `canonical`. */
  canonical(value: unknown): string {
    return canonical(value, this.budget);
  }
}

function emptySeen(): Seen {
  return { properties: new Set(), items: new Set() };
}
