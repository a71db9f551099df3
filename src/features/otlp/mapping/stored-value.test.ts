import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { attributeKey } from '../wire/attribute-key.ts';
import { Attribute, attributesJson, KeyValueList, type AttributeValue } from '../wire/attribute.ts';
import { storedAttributes } from './stored-value.ts';

const text = fc.string({ unit: 'binary', maxLength: 12 });
const name = fc.oneof(text, fc.constantFrom('a', '1', '0', '__proto__', '', '\\', '"'));
const { attributes } = fc.letrec<{ value: AttributeValue; attributes: Attribute[] }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('attributes').map((list) => new KeyValueList(list)),
  ),
  attributes: fc.array(
    fc.tuple(name, tie('value')).map(([key, value]) => new Attribute(attributeKey(key), value)),
    { maxLength: 5 },
  ),
}));

const plain = (list: readonly Attribute[]): unknown[] => list.map(({ key, value }) => [key.name, plainValue(value)]);
const plainValue = (value: AttributeValue): unknown =>
  value instanceof KeyValueList
    ? { list: plain(value.attributes) }
    : Array.isArray(value)
      ? (value as readonly AttributeValue[]).map(plainValue)
      : value;

describe('stored attributes are read back', () => {
  test('in their order, with repeated names', () => {
    fc.assert(
      fc.property(attributes, (list) => {
        expect(plain(storedAttributes(attributesJson(list)))).toEqual(plain(list));
      }),
    );
  });

  test('with a text of megabytes in which every character is escaped', () => {
    const long = '"\\'.repeat(1_000_000);
    const [read] = storedAttributes(attributesJson([new Attribute(attributeKey('long'), long)]));
    expect(read?.value === long).toBe(true);
  });

  test.each(['{', '{"a"}', '{"a":}', '{"a":1', '{"a":1}x', '{"a":"', '{"a":1e}', '[]', 'null', ' {}', '{a:1}'])(
    'invalid text is refused: %s',
    (broken) => expect(() => storedAttributes(broken)).toThrow(),
  );
});
