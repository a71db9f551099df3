import { expect, test } from 'vitest';
import { consequences } from './label-move.ts';

test('production is the default label', () => {
  expect(consequences({ label: 'production', from: 3, to: 5, latest: 5, proposal: false })).toEqual([
    'Requests with the label production get version 5 instead of version 3.',
    'So do requests without a label (version 3 until now).',
    'Prompts that reference this one with this label, or without label and version, use it immediately.',
  ]);
  expect(consequences({ label: 'production', from: null, to: 4, latest: 4, proposal: false })[1]).toBe(
    'Requests without a label still get version 4.',
  );
  expect(consequences({ label: 'production', from: null, to: 3, latest: 4, proposal: false })[1]).toBe(
    'So do requests without a label (version 4 until now).',
  );
});

test('another label affects its own requests only; a move to an older version is mentioned', () => {
  const sentences = consequences({ label: 'staging', from: 5, to: 3, latest: 5, proposal: false });
  expect(sentences).toContain('Prompts that reference this one with @staging use it immediately.');
  expect(sentences.join(' ')).not.toContain('without a label');
  expect(sentences.at(-1)).toBe('Version 3 is older than version 5.');
});

test('a labelled proposal becomes an ordinary version, and latest if no newer version has it', () => {
  const move = { label: 'staging', from: null, to: 5, latest: 3, proposal: true };
  expect(consequences(move)).toContain('Version 5 is no longer a proposal, and the label latest moves to it from version 3.');
  expect(consequences({ ...move, latest: 6 })).toContain('Version 5 is no longer a proposal.');
});
