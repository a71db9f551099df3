import { expect, test } from 'vitest';
import { checkText, compileBundle } from '../index.ts';
import type { GuardrailType } from '../index.ts';

/** A text in which what a guardrail of the type finds is replaced. */
function redacted(type: GuardrailType, config: object, text: string): string {
  const guardrail = { slug: 'g', type, stage: 'both', action: 'redact', config, priority: 1, onError: 'block' } as const;
  return checkText(compileBundle([guardrail]), { text }, { now: () => 0 }).text;
}

/** Characters of every kind that the bodies of tokens have, without repetition. */
const characters = 'q8Zr5TnW2xLk9VbM4cYd7HsG3jPf6QwR';
const bodyOf = (length: number) => characters.repeat(Math.ceil(length / characters.length)).slice(0, length);

// Lengths as GitLab, Amazon, Google, npm, Hugging Face, Grafana, Notion and others publish them.
test.each([
  ['GR1348941', 20, '[GITLAB_TOKEN]'],
  ['glptt-', 40, '[GITLAB_TOKEN]'],
  ['glimt-', 25, '[GITLAB_TOKEN]'],
  ['glagent-', 50, '[GITLAB_TOKEN]'],
  ['gloas-', 64, '[GITLAB_TOKEN]'],
  ['ghp_', 36, '[GITHUB_TOKEN]'],
  ['AIza', 35, '[GOOGLE_API_KEY]'],
  ['GOCSPX-', 28, '[GOOGLE_OAUTH_TOKEN]'],
  ['npm_', 36, '[NPM_TOKEN]'],
  ['hf_', 34, '[HUGGINGFACE_TOKEN]'],
  ['glsa_', 41, '[GRAFANA_TOKEN]'],
  ['ntn_', 46, '[NOTION_TOKEN]'],
  ['ico-', 32, '[INFRACOST_KEY]'],
])('%s and %i characters are a secret, and no fewer', (prefix, length, replacement) => {
  const find = (text: string) => redacted('secrets', {}, `a ${text} b`);
  expect(find(`${prefix}${bodyOf(length)}`)).toBe(`a ${replacement} b`);
  expect(find(`${prefix}${bodyOf(length - 1)}`)).not.toContain(replacement);
});

test.each([
  ['from fe80::1%eth0. Then', 'from [IP_ADDRESS]. Then'],
  ['fe80::1%eth0.1 is a zone', '[IP_ADDRESS] is a zone'],
  ['fe80::1% of 5', '[IP_ADDRESS]% of 5'],
])('the zone of an IP address in %j', (text, expected) => {
  expect(redacted('pii', { entities: ['ip_address'] }, text)).toBe(expected);
});

test('a domain of an e-mail address has at most 253 characters', () => {
  const domainOf = (length: number) => `${'a.'.repeat(length).slice(0, length - 3)}.io`.replace('..', '.a');
  for (const [length, expected] of [
    [253, 'to [EMAIL]'],
    [254, null],
  ] as const) {
    const domain = domainOf(length);
    expect(domain).toHaveLength(length);
    const text = `to ana@${domain}`;
    expect(redacted('pii', { entities: ['email'] }, text)).toBe(expected ?? text);
  }
});

test.each([
  ['call 555 - 0134', 'call [PHONE]'],
  ['call 555 -0134', 'call 555 -0134'],
  ['call 555- 0134', 'call 555- 0134'],
  ['tel:212-555-0100', 'tel:[PHONE]'],
  ['at 10:212-555-0100', 'at 10:212-555-0100'],
  ['of 10,212-555-0100', 'of 10,212-555-0100'],
])('a phone number in %j', (text, expected) => {
  expect(redacted('pii', { entities: ['phone'] }, text)).toBe(expected);
});
