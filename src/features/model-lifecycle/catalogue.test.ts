import { describe, expect, it } from 'vitest';
import { Catalogue } from './catalogue.ts';
import type { Override } from './catalogue.ts';
import { bandOf, daysRemaining } from './finding-state.ts';
import { shippedCatalogue } from './stored-catalogue.ts';

const file = await shippedCatalogue();
const catalogue = new Catalogue(file);
const dateOf = (model: string, provider = '', overrides: readonly Override[] = []) =>
  catalogue.lookUp(model, provider, overrides)?.retiresOn ?? null;

const own = (given: Partial<Override>): Override => ({
  model: 'm',
  provider: null,
  retiresOn: '2027-01-01',
  replacement: null,
  source: null,
  ...given,
});

describe('the shipped catalogue', () => {
  it('names a source for every date, and every id once in a provider', () => {
    expect(file.models.length).toBeGreaterThan(600);
    expect(file.models.filter(({ source }) => !source?.startsWith('https://'))).toEqual([]);
    const ids = file.models.flatMap(({ provider, model, aliases }) => [model, ...aliases].map((id) => `${provider} ${id}`));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('finds every id with its provider', () => {
    for (const { provider, model, aliases, retiresOn = null } of file.models)
      for (const id of [model, ...aliases]) expect([id, provider, dateOf(id, provider)]).toEqual([id, provider, retiresOn]);
  });

  it('gives the findings of a brute-force search on every day of a year', () => {
    const ids = [...new Set(file.models.flatMap(({ model, aliases }) => [model, ...aliases]))];
    const makers = ['alibaba', 'anthropic', 'cohere', 'deepseek', 'google', 'mistral', 'moonshot', 'openai', 'xai'];
    const expected = ids.map((id) => {
      const candidates = file.models.filter(({ model, aliases }) => model === id || aliases.includes(id));
      const ofMakers = candidates.filter(({ provider }) => makers.includes(provider));
      const [first] = (ofMakers.length > 0 ? ofMakers : candidates).toSorted((left, right) =>
        (left.retiresOn ?? '9') < (right.retiresOn ?? '9') ? -1 : 1,
      );
      return first?.certainty === 'firm' ? (first.retiresOn ?? null) : null;
    });
    const found = ids.map((id) => {
      const entry = catalogue.lookUp(id, '', []);
      return entry?.certainty === 'firm' ? entry.retiresOn : null;
    });
    for (let day = Date.UTC(2026, 10, 22, 23, 59); day < Date.UTC(2027, 10, 22); day += 86_400_000) {
      const today = new Date(day).toISOString().slice(0, 10);
      const near = found.map((date) => (date === null ? null : bandOf(daysRemaining(date, day))));
      const oracle = expected.map((date) => {
        if (date === null) return null;
        const days = Math.round((Date.parse(date) - Date.parse(today)) / 86_400_000);
        return days > 90 ? null : days > 30 ? 90 : days > 7 ? 30 : days > 0 ? 7 : 0;
      });
      expect([today, near]).toEqual([today, oracle]);
    }
  });
});

describe('which entry holds for a call', () => {
  it("is that of the call's own provider", () => {
    expect(dateOf('gpt-4o-2024-08-06', 'openai')).toBe('2027-01-14');
    expect(dateOf('gpt-4o-2024-08-06', 'azure.ai.openai')).toBe('2027-04-14');
    expect(dateOf('gpt-4o-2024-08-06', 'AZURE_OPENAI')).toBe('2027-04-14');
  });

  it("is that of the model's maker without a provider, or with one that the catalogue does not have for it", () => {
    expect(dateOf('gpt-4o-2024-08-06')).toBe('2027-01-14');
    expect(dateOf('gpt-4o-2024-08-06', 'groq')).toBe('2027-01-14');
    expect(dateOf('gpt-4o-2024-08-06', 'a-gateway')).toBe('2027-01-14');
  });

  it.each([
    ['openai/gpt-4o-2024-08-06', '2027-01-14'],
    ['OpenAI/GPT-4o-2024-08-06', '2027-01-14'],
    ['openrouter/openai/gpt-4o-2024-08-06', '2027-01-14'],
    ['azure/gpt-4o-2024-08-06', '2027-04-14'],
  ])('is found for %s', (model, date) => expect(dateOf(model)).toBe(date));

  describe('on Amazon Bedrock', () => {
    const entry = { provider: 'aws-bedrock', aliases: [], certainty: 'firm' as const };
    const bedrock = new Catalogue({
      reviewedOn: '2026-11-27',
      models: [
        { ...entry, model: 'zz-1', retiresOn: '2027-01-01' },
        { ...entry, model: 'yy-1', retiresOn: '2027-02-01' },
        { ...entry, model: 'anthropic.yy-1', retiresOn: '2027-03-01' },
      ],
    });
    const bedrockDate = (model: string, overrides: readonly Override[] = []) =>
      bedrock.lookUp(model, 'aws.bedrock', overrides)?.retiresOn ?? null;

    it.each([
      'bedrock/us.anthropic.zz-1',
      'us.anthropic.zz-1',
      'anthropic.zz-1',
      'bedrock/anthropic.zz-1',
      'global.anthropic.zz-1',
      'eu.anthropic.zz-1',
      'apac.anthropic.zz-1',
      'bedrock/converse/us.anthropic.zz-1',
      'Bedrock/US.Anthropic.ZZ-1',
      ...['amazon', 'meta', 'mistral', 'cohere', 'ai21', 'deepseek', 'openai', 'qwen'].map((vendor) => `us.${vendor}.zz-1`),
    ])('is found without the prefix of %s', (model) => expect(bedrockDate(model)).toBe('2027-01-01'));

    it.each(['bedrock/us.anthropic.yy-1', 'EU.anthropic.yy-1', 'anthropic.yy-1'])(
      'is that of the id with the maker for %s, where the catalogue has it',
      (model) => expect(bedrockDate(model)).toBe('2027-03-01'),
    );

    it.each(['yy-1', 'bedrock/yy-1'])('is that of the id without a maker for %s', (model) =>
      expect(bedrockDate(model)).toBe('2027-02-01'),
    );

    it.each(['us.anthropic.', 'anthropic.', 'acme.zz-1', 'us.acme.zz-1', 'anthropic.zz-1-v1:0', 'anthropiczz-1'])(
      'is not found for %s',
      (model) => expect(bedrockDate(model)).toBeNull(),
    );

    it("is the project's own date, set without the prefix", () =>
      expect(bedrockDate('bedrock/us.anthropic.xx-1', [own({ model: 'xx-1', retiresOn: '2027-04-01' })])).toBe('2027-04-01'));
  });

  it.each(['gpt-4o-2024-08-06-my-fine-tune', 'gpt-4o-2024-08', 'ft:gpt-4o-2024-08-06:acme', 'openai/', '', 'constructor'])(
    'is never found by a part of the id: %j',
    (model) => expect(dateOf(model)).toBeNull(),
  );

  it("is the project's own date where it has one", () => {
    const overrides = [
      own({ model: 'gpt-4o-2024-08-06', provider: 'azure', retiresOn: '2026-12-01' }),
      own({ model: 'my-model' }),
    ];
    expect(dateOf('gpt-4o-2024-08-06', 'azure.ai.openai', overrides)).toBe('2026-12-01');
    expect(dateOf('gpt-4o-2024-08-06', 'openai', overrides)).toBe('2027-01-14');
    expect(dateOf('my-model', 'anything', overrides)).toBe('2027-01-01');
    expect(
      catalogue
        .list(overrides)
        .filter(({ model }) => model === 'gpt-4o-2024-08-06')
        .map((entry) => [entry.provider, entry.override]),
    ).toEqual([
      ['azure', true],
      ['openai', false],
    ]);
  });

  it.each([
    ['of another provider, where the catalogue has no other', 'my-model', 'elsewhere', '2027-01-01'],
    ['without a provider', 'my-model', '', '2027-01-01'],
    ["in place of the maker's", 'gpt-4o-2024-08-06', '', '2027-01-01'],
    ["in place of the maker's, for a provider that the catalogue does not have", 'gpt-4o-2024-08-06', 'openrouter', '2027-01-01'],
  ])("is the project's own date for one provider, for calls %s", (_case, model, provider, date) =>
    expect(dateOf(model, provider, [own({ model, provider: 'openai' })])).toBe(date),
  );

  it("is the maker's date, not the project's own for a platform, for calls without a provider", () =>
    expect(dateOf('gpt-4o-2024-08-06', '', [own({ model: 'gpt-4o-2024-08-06', provider: 'azure' })])).toBe('2027-01-14'));

  describe('of several dates of the project', () => {
    const dated = 'gpt-image-1.5-2025-12-16';
    // Shipped: an entry `gpt-image-1.5` of the maker with the dated id as an alias, and on Azure the other way round.
    it.each([
      ['every provider', null, ''],
      ['every provider', null, 'openai'],
      ['every provider', null, 'azure'],
      ['every provider', null, 'a-gateway'],
      ['the maker', 'openai', 'openai'],
      ['the maker', 'openai', ''],
      ['a platform', 'azure', 'azure'],
    ])('for %s (%j), for calls by %j, is the one for exactly the called id', (_case, provider, called) => {
      for (const [first, second] of [
        ['2027-05-01', '2027-06-01'],
        ['2027-06-01', '2027-05-01'],
      ] as const) {
        const overrides = [
          own({ model: 'gpt-image-1.5', provider, retiresOn: first }),
          own({ model: dated, provider, retiresOn: second }),
        ];
        expect([dateOf('gpt-image-1.5', called, overrides), dateOf(dated, called, overrides)]).toEqual([first, second]);
        expect([dateOf(dated, called, overrides.toReversed())]).toEqual([second]);
      }
    });

    it('is the one for exactly the called id, where the only shipped entry is of a platform', () => {
      const platform = new Catalogue({
        reviewedOn: '2026-11-27',
        models: [{ provider: 'azure', model: 'm', aliases: ['m-1'], retiresOn: '2027-03-01', certainty: 'firm' }],
      });
      const overrides = [
        own({ model: 'm', provider: 'azure', retiresOn: '2027-01-01' }),
        own({ model: 'm-1', provider: 'azure', retiresOn: '2027-02-01' }),
      ];
      expect(platform.lookUp('m-1', '', overrides)?.retiresOn).toBe('2027-02-01');
    });

    it('is the most specific of those that a prefix leaves', () => {
      const overrides = [
        own({ model: 'ww-1', retiresOn: '2027-05-01' }),
        own({ model: 'anthropic.ww-1', retiresOn: '2027-06-01' }),
        own({ model: 'us.anthropic.ww-1', retiresOn: '2027-07-01' }),
      ];
      for (const listed of [overrides, overrides.toReversed()]) {
        expect(dateOf('us.anthropic.ww-1', 'aws.bedrock', listed)).toBe('2027-07-01');
        expect(dateOf('anthropic.ww-1', 'aws.bedrock', listed)).toBe('2027-06-01');
        expect(dateOf('bedrock/ww-1', 'aws.bedrock', listed)).toBe('2027-05-01');
      }
    });

    it('is still the one for the id of the shipped entry, where there is none for the called id', () =>
      expect(dateOf(dated, 'openai', [own({ model: 'gpt-image-1.5', retiresOn: '2027-05-01' })])).toBe('2027-05-01'));
  });
});
