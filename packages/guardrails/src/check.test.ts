import { describe, expect, test } from 'vitest';
import { Budget, OverBudget } from './budget.ts';
import {
  BundleError,
  CheckGivenUp,
  checkText,
  compileBundle,
  failedCheck,
  UnknownGuardrailError,
  withVerdicts,
} from './index.ts';
import type { CheckRequest, Guardrail } from './index.ts';

const guardrail = (slug: string, fields: Partial<Guardrail>): Guardrail => ({
  slug,
  type: 'regex',
  stage: 'both',
  action: 'redact',
  config: { patterns: [{ pattern: slug }] },
  priority: 100,
  onError: 'block',
  ...fields,
});
const check = (guardrails: readonly Guardrail[], request: string | CheckRequest, options = {}) =>
  checkText(compileBundle(guardrails), typeof request === 'string' ? { text: request } : request, { now: () => 0, ...options });

test('a budget may be spent to the last step, and not beyond', () => {
  const budget = new Budget(3);
  budget.spend(2);
  budget.spend(1);
  expect(budget.left).toBe(0);
  expect(() => budget.spend(1)).toThrow(OverBudget);
});

test('a check answers with the strictest action, results in order and the redacted text', () => {
  const guardrails = [
    guardrail('flagged', { action: 'flag', priority: 2, config: { patterns: [{ pattern: 'x+', label: 'x' }] } }),
    guardrail('b', { config: { patterns: [{ pattern: 'mail', label: 'E-mail 1' }] } }),
    guardrail('a', {}),
    guardrail('quiet', { action: 'block' }),
  ];
  expect(check(guardrails, 'xx mail a')).toEqual({
    action: 'redact',
    text: 'xx m[REDACTED]il [REDACTED]'.replace('m[REDACTED]il', '[E_MAIL_1]'),
    results: [
      {
        guardrail: 'flagged',
        type: 'regex',
        triggered: true,
        action: 'flag',
        matches: [{ start: 0, end: 2, label: 'x' }],
        reason: 'Found x.',
        latencyMs: 0,
      },
      {
        guardrail: 'a',
        type: 'regex',
        triggered: true,
        action: 'redact',
        matches: [
          { start: 4, end: 5, label: 'match' },
          { start: 8, end: 9, label: 'match' },
        ],
        reason: 'Found match (2 times).',
        latencyMs: 0,
      },
      {
        guardrail: 'b',
        type: 'regex',
        triggered: true,
        action: 'redact',
        matches: [{ start: 3, end: 7, label: 'E-mail 1' }],
        reason: 'Found E-mail 1.',
        latencyMs: 0,
      },
      { guardrail: 'quiet', type: 'regex', triggered: false, action: 'allow', matches: [], reason: null, latencyMs: 0 },
    ],
    safeUntil: 9,
    replacements: [
      { start: 3, end: 7, with: '[E_MAIL_1]', guardrail: 2 },
      { start: 8, end: 9, with: '[REDACTED]', guardrail: 1 },
    ],
  });
});

describe('replacements', () => {
  const labelled = (slug: string, pattern: string) => guardrail(slug, { config: { patterns: [{ pattern, label: slug }] } });

  test.each([
    ['touching matches of one guardrail are replaced each', [labelled('a', 'x')], 'xx', '[A][A]'],
    ['touching matches of two are replaced once', [labelled('a', 'xy'), labelled('b', 'z')], 'xyz', '[A]'],
    ['the range that starts first wins', [labelled('a', 'yz'), labelled('b', 'xy')], 'xyz', '[B]'],
    ['of equal starts the longer wins', [labelled('a', 'x'), labelled('b', 'xy')], 'xyz', '[B]z'],
    ['of equal ranges the first guardrail wins', [labelled('b', 'x'), labelled('a', 'x')], 'x', '[A]'],
    ['a chain becomes one', [labelled('a', '[xz]'), labelled('b', 'y')], 'xyz', '[A]'],
    [
      'a cut takes the rest',
      [labelled('a', 'x'), guardrail('cut', { type: 'max_length', config: { maxCharacters: 2 } })],
      'x😀yz',
      '[A]😀',
    ],
  ])('%s', (_, guardrails, text, expected) => {
    expect(check(guardrails, text).text).toBe(expected);
  });

  test('all matches are replaced, also those that the result leaves out', () => {
    const { text, results } = check([guardrail('a', {})], 'a'.repeat(150));
    expect(text).toBe('[REDACTED]'.repeat(150));
    expect(results[0]).toMatchObject({ truncated: true, matches: { length: 100 } });
  });
});

test.each([
  ['MIIEpAIB', true],
  ['Proc-Type: 4,ENCRYPTED', true],
  ['', false],
  ['...', false],
  ['xxxxxxxx\nxxxx', false],
])('a PEM block that contains %j is a private key: %s', (content, found) => {
  const block = `-----BEGIN RSA PRIVATE KEY-----\n${content}\n-----END RSA PRIVATE KEY-----`;
  const { text } = check([guardrail('keys', { type: 'secrets', config: {} })], `a ${block} b`);
  expect(text).toBe(found ? 'a [PRIVATE_KEY] b' : `a ${block} b`);
});

test('stage, environment, enabled and the request say what runs', () => {
  const guardrails = [
    guardrail('in', { stage: 'input' }),
    guardrail('out', { stage: 'output' }),
    guardrail('both', {}),
    guardrail('prod', { environments: ['production'] }),
    guardrail('off', { enabled: false }),
  ];
  const ran = (request: Partial<CheckRequest>) =>
    check(guardrails, { text: '', ...request }).results.map((result) => result.guardrail);
  expect(ran({})).toEqual(['both', 'in']);
  expect(ran({ stage: 'output' })).toEqual(['both', 'out']);
  expect(ran({ environment: 'production' })).toEqual(['both', 'in', 'prod']);
  expect(ran({ environment: 'staging', guardrails: ['in', 'prod'] })).toEqual(['in']);
  expect(() => ran({ guardrails: ['in', 'other'] })).toThrow(UnknownGuardrailError);
});

test('what takes more than its budget has failed, and blocks where onError says so', () => {
  const slow = { config: { patterns: [{ pattern: '(?:a|aa)+b' }] } };
  const run = (onError: 'allow' | 'block') =>
    check([guardrail('slow', { ...slow, onError })], `${'a'.repeat(2_000)}b`, { steps: 1_000 });
  expect(run('block')).toMatchObject({ action: 'block', results: [{ failed: true, triggered: true, action: 'block' }] });
  expect(run('allow')).toMatchObject({ action: 'allow', results: [{ failed: true, triggered: false, action: 'allow' }] });
});

test.each(['1 ', '0 ', '1 0 ', '4 ', '12 345 '])('256 KiB of %s are within the budget of personal data', (piece) => {
  const text = piece.repeat(262_144 / piece.length);
  expect(check([guardrail('pii', { type: 'pii', config: {} })], text)).toMatchObject({
    action: 'allow',
    results: [{ reason: null }],
  });
});

test.each([
  ['invoice number 219099999', false],
  ['version number 2026112', false],
  ['call 1234567 times', false],
  ['contact id 20261126', false],
  ['the number 1234567 is prime', false],
  ['phone 1234567', true],
  ['call 555 0134', true],
  ['1234567 (office)', true],
  ['my number is 020 7946 0958', true],
])('a phone number: %s (%s)', (text, isPhone) => {
  const { results } = check([guardrail('p', { type: 'pii', config: { entities: ['phone'] } })], text);
  expect(results[0]?.triggered).toBe(isPhone);
});

// Each with the separators that word processors, forms and East Asian keyboards write.
test.each([
  ['4111\u00a01111\u00a01111\u00a01111', 'payment_card'],
  ['4111\u20111111\u20111111\u20111111', 'payment_card'],
  ['4111\u20131111\u20131111\u20131111', 'payment_card'],
  ['4111\t1111\t1111\t1111', 'payment_card'],
  ['4111  1111  1111  1111', 'payment_card'],
  ['４１１１１１１１１１１１１１１１', 'payment_card'],
  ['078\u201105\u20111120', 'us_ssn'],
  ['078  05  1120', 'us_ssn'],
  ['DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000', 'iban'],
  ['DE89  3704  0044  0532  0130  00', 'iban'],
  ['(212)\u00a0555\u20110100', 'phone'],
  ['+49\u202f30\u202f12345678', 'phone'],
  ['anna＠example.com', 'email'],
])('%j is found whole as %s', (text, label) => {
  const { results } = check([guardrail('p', { type: 'pii', config: {} })], `(${text})`);
  expect(results[0]?.matches).toEqual([{ start: 1, end: 1 + text.length, label }]);
});

test('without regions the international form of phone numbers counts alone', () => {
  const phones = guardrail('p', { type: 'pii', config: { entities: ['phone'], phoneRegions: [] } });
  expect(check([phones], 'call 212-555-0100 or +1 212 555 0100').text).toBe('call 212-555-0100 or [PHONE]');
});

test('the label match is a name where it is given', () => {
  const patterns = [{ pattern: 'a', label: 'match' }, { pattern: 'b' }];
  expect(check([guardrail('p', { config: { patterns } })], 'ab').text).toBe('[MATCH][REDACTED]');
});

test('a judge answers by its verdict, and is skipped where the text is blocked without it', () => {
  const judge = guardrail('judge', { type: 'llm_judge', action: 'flag', config: null, onError: 'allow' });
  const block = guardrail('bad', { action: 'block' });
  const verdicts = { judge: { triggered: true, reason: 'It is rude.', latencyMs: 40 } };
  expect(check([judge, block], 'fine', { verdicts })).toMatchObject({
    action: 'flag',
    results: [{ triggered: false }, { triggered: true, reason: 'It is rude.', latencyMs: 40 }],
  });
  expect(check([judge, block], 'bad', { verdicts })).toMatchObject({
    action: 'block',
    results: [{}, { skipped: true, triggered: false }],
  });
  expect(check([judge], 'fine').results).toMatchObject([{ failed: true, action: 'allow' }]);
  expect(check([judge], { text: 'fine', final: false }).safeUntil).toBe(0);
});

test('a bundle names every problem with its place', () => {
  const problems = (() => {
    try {
      compileBundle([
        guardrail('r', { config: { patterns: [{ pattern: 'a' }, { pattern: '(?=a)', extra: 1 }] } }),
        guardrail('j', { type: 'json_schema', config: { schema: { properties: { 'a/b': { pattern: '(' } } } } }),
        guardrail('p', { type: 'pii', config: { entities: ['name'], phoneRegions: ['XX'] } }),
        guardrail('m', { type: 'max_length', config: {} }),
        guardrail('b', { type: 'blocklist', config: { terms: [] } }),
      ]);
    } catch (error) {
      return (error as BundleError).problems.map(({ guardrail, path }) => `${guardrail} ${path}`);
    }
    return [];
  })();
  expect(problems).toEqual([
    'r /config/patterns/1/extra',
    'r /config/patterns/1/pattern',
    'j /action',
    'j /config/schema/properties/a~1b/pattern',
    'p /config/entities/0',
    'p /config/phoneRegions/0',
    'm /config/maxCharacters',
    'b /config/terms',
  ]);
});

test.each([
  [{ terms: ['cat', 'cats', 'C++'] }, 'Cats, cat; bobcat C++x ÉCAT', ['cats', 'cat', 'C++']],
  [{ terms: ['STRASSE', 'Ünder', 'ΣΑΣ'] }, 'ünder strasse σας', ['Ünder', 'STRASSE', 'ΣΑΣ']],
  [{ terms: ['a'], ignoreCase: false, wholeWords: false }, 'Aaba', ['a', 'a']],
])('terms of %j in %j', (config, text, labels) => {
  const { results } = check([guardrail('b', { type: 'blocklist', config })], text);
  expect(results[0]?.matches.map(({ label }) => label)).toEqual(labels);
});

test('the verdicts of judges are added without another check of the local guardrails', () => {
  const judge = guardrail('judge', { type: 'llm_judge', action: 'block', config: null });
  const mask = guardrail('mask', { type: 'blocklist', action: 'redact', config: { terms: ['bad'] } });
  const bundle = compileBundle([judge, mask]);
  const fixed = { now: () => 0 };
  for (const verdict of [
    { triggered: true, reason: 'It is rude.' },
    { triggered: false, reason: null },
    { failed: true as const, reason: 'It is away.' },
  ]) {
    const verdicts = { judge: verdict };
    const request = { text: 'a bad word' };
    expect(withVerdicts(bundle, request, checkText(bundle, request, fixed), verdicts)).toEqual(
      checkText(bundle, request, { ...fixed, verdicts }),
    );
  }
});

test('a judge is not asked while the text may continue', () => {
  const judge = guardrail('judge', { type: 'llm_judge', action: 'block', config: null, onError: 'block' });
  expect(check([judge], { text: 'a', final: false })).toMatchObject({
    action: 'allow',
    results: [{ skipped: true, triggered: false }],
    safeUntil: 0,
  });
});

test('a check that takes more steps than it was given has no answer, otherwise the same answer', () => {
  const bundle = compileBundle([
    guardrail('cards', { type: 'pii', action: 'redact', config: {} }),
    guardrail('terms', { type: 'blocklist', action: 'redact', config: { terms: ['bad'] } }),
    guardrail('regex', { type: 'regex', action: 'redact', config: { patterns: [{ pattern: 'b[a-z]+d' }] } }),
  ]);
  let givenUp = 0;
  let answered = 0;
  for (let steps = 1; steps < 4_000; steps = Math.ceil(steps * 1.3)) {
    for (const final of [true, false]) {
      const request = { text: 'a bad card 4111 1111 1111 1111 and 212-555-0100, jo@example.com b', final };
      try {
        expect(checkText(bundle, request, { now: () => 0, giveUpAfter: steps })).toEqual(
          checkText(bundle, request, { now: () => 0 }),
        );
        answered += 1;
      } catch (error) {
        if (!(error instanceof CheckGivenUp)) throw error;
        givenUp += 1;
      }
    }
  }
  expect([givenUp > 0, answered > 0]).toEqual([true, true]);
});

test('guardrails that are configured alike are one search, and have an answer each', () => {
  const config = { patterns: [{ pattern: '(?:a|aa)+b', label: 'ab' }] };
  const same = ['a', 'b', 'c'].map((slug) => guardrail(slug, { config }));
  const one = check(same.slice(0, 1), 'xaaab', { steps: 1_000 });
  const all = check([...same, guardrail('flagged', { config, action: 'flag' })], 'xaaab', { steps: 1_000, giveUpAfter: 1_000 });
  expect(all.text).toBe(one.text);
  expect(all.results.map(({ guardrail: slug, action, matches }) => [slug, action, matches])).toEqual(
    ['a', 'b', 'c', 'flagged'].map((slug) => [slug, slug === 'flagged' ? 'flag' : 'redact', one.results[0]?.matches]),
  );
});

test('guardrails for which a check has no steps left have failed', () => {
  const lengths = Array.from({ length: 8 }, (_, index) =>
    guardrail(`length-${index}`, { type: 'max_length', config: { maxCharacters: 1_000 + index }, onError: 'allow' }),
  );
  const { results } = check(lengths, 'a'.repeat(90), { steps: 100 });
  expect(results.map(({ failed = false }) => failed)).toEqual([false, false, true, true, true, true, true, true]);
});

test('a check that could not run at all fails every local guardrail', () => {
  const terms = { type: 'blocklist', action: 'redact', config: { terms: ['bad'] } } as const;
  const judge = guardrail('judge', { type: 'llm_judge', action: 'block', config: null, onError: 'allow' });
  const allowed = failedCheck(
    compileBundle([guardrail('a', { ...terms, onError: 'allow' }), judge]),
    { text: 'bad' },
    'It ended.',
  );
  expect(allowed).toMatchObject({
    action: 'allow',
    text: 'bad',
    results: [{ failed: true, reason: 'It ended.' }, { failed: true }],
  });
  const blocked = failedCheck(
    compileBundle([guardrail('a', { ...terms, onError: 'block' }), judge]),
    { text: 'bad' },
    'It ended.',
  );
  expect(blocked).toMatchObject({ action: 'block', results: [{ failed: true, action: 'block' }, { skipped: true }] });
});

test.each([
  [['竞争对手'], '请不要提到竞争对手的产品', ['竞争对手']],
  [['acme'], '我用acme产品', ['acme']],
  [['競合'], 'これは競合他社の話です', ['競合']],
  [['คู่แข่ง'], 'เราไม่พูดถึงคู่แข่งของเรา', ['คู่แข่ง']],
  [['cat'], 'bobcat', []],
  [['naïve'], 'NAI\u0308VE and naïve', ['naïve', 'naïve']],
  [['nai\u0308ve'], 'a naïve one', ['nai\u0308ve']],
  [['cafe'], 'cafe\u0301', []],
  [['가다'], '\u1100\u1161다', ['가다']],
])('terms %j in %j', (terms, text, labels) => {
  const { results } = check([guardrail('b', { type: 'blocklist', config: { terms } })], text);
  expect(results[0]?.matches.map(({ label }) => label)).toEqual(labels);
});

test('a term in decomposed form is redacted whole', () => {
  const terms = guardrail('b', { type: 'blocklist', config: { terms: ['naïve'] } });
  expect(check([terms], 'a NAI\u0308VE one').text).toBe('a [REDACTED] one');
  const anywhere = guardrail('b', { type: 'blocklist', config: { terms: ['cafe'], wholeWords: false } });
  expect(check([anywhere], { text: 'a cafe', final: false }).safeUntil).toBe(2);
});

test.each([
  ['db::add(1)', []],
  ['a face::Bed', []],
  ['Chrome/120.0.0.0 Safari/537.36', []],
  ['see section 4.2.1.3', []],
  ['version 1.2.3.4', []],
  ['v1.2.3.4', []],
  ['listens on 0.0.0.0 and 127.0.0.1', []],
  ['::1 and ::', []],
  ['http://8.8.4.4/x', ['8.8.4.4']],
  ['from 203.0.113.9 at noon', ['203.0.113.9']],
  ['fe80::1 and 2001:db8::a', ['fe80::1', '2001:db8::a']],
  ['fe::ab:cd', ['fe::ab:cd']],
])('IP addresses in %j', (text, expected) => {
  const { results } = check([guardrail('p', { type: 'pii', config: { entities: ['ip_address'] } })], text);
  expect(results[0]?.matches.map(({ start, end }) => text.slice(start, end))).toEqual(expected);
});

const aws = ['wJalrXUtnFEMI', 'K7MDENG', 'bPxRfiCYzEXAMPLEKE'].join('/');
test.each([
  [`aws_secret_access_key = ${aws}`, 'aws_secret_key', aws],
  [`${'AKIA'}IOSFODNN7EXAMPLQ ${aws}`, 'aws_secret_key', aws],
  ['postgres://app:s3cr3t@db.example.com/x', 'url_password', 'app:s3cr3t'],
  ['https://joe:p%40ss1@example.com', 'url_password', 'joe:p%40ss1'],
  ['Authorization: Basic am9lOmh1bnRlcjI=', 'basic_auth', 'am9lOmh1bnRlcjI='],
  ['curl -u joe:hunter22 https://example.com', 'basic_auth', 'joe:hunter22'],
  [`AccountName=a;AccountKey=${'q7Zt'.repeat(21)}aB==;x=y`, 'azure_account_key', `${'q7Zt'.repeat(21)}aB==`],
  [
    `at hooks.slack.com/services/T0000000A/B0000000B/${'abCD12'.repeat(4)}`,
    'slack_webhook',
    `hooks.slack.com/services/T0000000A/B0000000B/${'abCD12'.repeat(4)}`,
  ],
  [`${'ya29'}.a0AfH6SMBx1234567890abcdefghij`, 'google_oauth_token', `${'ya29'}.a0AfH6SMBx1234567890abcdefghij`],
  ['api_key=9f86d081884c7d659a2feaa0c55ad015', 'generic_secret', '9f86d081884c7d659a2feaa0c55ad015'],
  ['{"token": "q8Z1pLr0Vx7Tn3Bd5Wk2"}', 'generic_secret', 'q8Z1pLr0Vx7Tn3Bd5Wk2'],
])('the secret in %j is a %s', (text, label, expected) => {
  const { results } = check([guardrail('s', { type: 'secrets', config: {} })], text);
  expect(results[0]?.matches.filter((match) => match.label === label).map(({ start, end }) => text.slice(start, end))).toEqual([
    expected,
  ]);
});

test.each([
  'The token is important: read it',
  'key = value',
  'api_key: your-api-key-here',
  'postgres://user:${PASSWORD}@host/db',
  'token = auth.token2.value',
  'basic understanding',
])('no secret is in %j', (text) =>
  expect(check([guardrail('s', { type: 'secrets', config: {} })], text).results[0]?.matches).toEqual([]),
);

test('the password of a URL is no part of an email address', () => {
  const both = [guardrail('pii', { type: 'pii', config: {} }), guardrail('secrets', { type: 'secrets', config: {} })];
  expect(check(both, 'postgres://app:s3cr3t@db.example.com/x').text).toBe('postgres://[URL_PASSWORD]@db.example.com/x');
});

test.each([
  ['HU', 'Hív: 06 20 123 4567 ma', '06 20 123 4567'],
  ['HU', 'Hív: (06 1) 234 5678 ma', '(06 1) 234 5678'],
  ['HU', 'Hív: 20 123 4567 ma', undefined],
  ['HU', 'Hív: 020 123 4567 ma', undefined],
  ['CN', '请拨 131 2345 6789 。', '131 2345 6789'],
  ['CN', '请拨 010 6552 9988 。', '010 6552 9988'],
  ['CN', '请拨 10 6552 9988 。', undefined],
  ['PE', 'Al 912 345 678 hoy', '912 345 678'],
  ['NP', 'Yo 984-1234567 ho', '984-1234567'],
  ['DE', 'Nach 123 456789 Tagen', undefined],
])('in %s the national phone number of %s is the one that the region writes', (region, text, expected) => {
  const config = { entities: ['phone'], phoneRegions: [region] };
  const phones = compileBundle([guardrail('p', { type: 'pii', config })]);
  const [match] = checkText(phones, { text }).results.flatMap(({ matches }) => matches);
  expect(match && text.slice(match.start, match.end)).toBe(expected);
});

test('prompt injection guardrails of several thresholds read a text once', () => {
  const text = 'The rеport of the committee names the people who wrote it. '.repeat(200);
  const stepsOf = (thresholds: readonly number[]) => {
    const guardrails = thresholds.map((threshold) =>
      guardrail(`t${threshold * 10}`, { type: 'prompt_injection', action: 'block', config: { threshold } }),
    );
    const bundle = compileBundle(guardrails);
    const isEnough = (giveUpAfter: number) => {
      try {
        return checkText(bundle, { text }, { giveUpAfter }).results.length === thresholds.length;
      } catch (error) {
        expect(error).toBeInstanceOf(CheckGivenUp);
        return false;
      }
    };
    let [less, enough] = [0, 10_000_000];
    while (enough - less > 1_000) {
      const middle = (less + enough) >> 1;
      if (isEnough(middle)) enough = middle;
      else less = middle;
    }
    return enough;
  };
  const one = stepsOf([0.5]);
  expect(one).toBeGreaterThan(100_000);
  // Each pattern still asks whether it may stand in the text.
  expect(stepsOf([0.5, 0.6, 0.7])).toBeLessThan(2.3 * one);
});
