import { expect, test } from 'vitest';
import { limitedAddress, plainAddress } from './index.ts';

test.each([
  ['203.0.113.9', '203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:51324', '203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::7]:443', '2001:db8:1:2::7', '2001:db8:1:2::/64'],
  ['::1', '::1', '::/64'],
  ['_hidden', '_hidden', 'unknown'],
  ['x'.repeat(100), 'x'.repeat(64), 'unknown'],
])('%s', (given, plain, limited) => {
  expect([plainAddress(given), limitedAddress(given)]).toEqual([plain, limited]);
});
