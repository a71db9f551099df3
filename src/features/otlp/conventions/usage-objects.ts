import { tokens } from '../readers/attribute-readers.ts';
import type { Convention, Reader } from '../readers/convention.ts';
import { usageClass } from '../readers/usage-object.ts';
import { usageClasses } from '../readers/token-classes.ts';
import { usageAttributes, usageDetailAttributes } from '../wire/usage-attributes.ts';

const all = <T>(names: readonly string[], read: Reader<T>): Record<string, Reader<T>> =>
  Object.fromEntries(names.map((name) => [name, read]));

/** Usage objects of providers that clients send as they are, and their details as attributes of their own. */
export const convention: Convention = {
  name: 'provider-usage',
  fields: {
    inputTokens: all(usageAttributes, usageClass('inputTokens')),
    outputTokens: all(usageAttributes, usageClass('outputTokens')),
    totalTokens: all(usageAttributes, usageClass('totalTokens')),
    tokenClasses: all(usageAttributes, usageClasses),
    cachedTokens: { ...all(usageAttributes, usageClass('cachedTokens')), ...all(usageDetailAttributes.cached, tokens) },
    cacheWriteTokens: {
      ...all(usageAttributes, usageClass('cacheWriteTokens')),
      ...all(usageDetailAttributes.cacheWrite, tokens),
    },
    reasoningTokens: { ...all(usageAttributes, usageClass('reasoningTokens')), ...all(usageDetailAttributes.reasoning, tokens) },
  },
};
