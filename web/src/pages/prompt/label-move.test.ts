import { expect, test } from 'vitest';
import { consequences } from './label-move.ts';

test('production is the default label', () => {
  expect(consequences({ label: 'production', from: 3, to: 5, newest: 5 })).toEqual([
    'Requests with the label production get version 5 instead of version 3.',
    'So do requests without a label (version 3 until now).',
    'Prompts that reference this one with this label, or without label and version, use it immediately.',
  ]);
  expect(consequences({ label: 'production', from: null, to: 4, newest: 4 })[1]).toBe(
    'Requests without a label still get version 4.',
  );
  expect(consequences({ label: 'production', from: null, to: 3, newest: 4 })[1]).toBe(
    'So do requests without a label (version 4 until now).',
  );
});

test('another label affects its own requests only; a move to an older version is mentioned', () => {
  const sentences = consequences({ label: 'staging', from: 5, to: 3, newest: 5 });
  expect(sentences).toContain('Prompts that reference this one with @staging use it immediately.');
  expect(sentences.join(' ')).not.toContain('without a label');
  expect(sentences.at(-1)).toBe('Version 3 is older than version 5.');
});
