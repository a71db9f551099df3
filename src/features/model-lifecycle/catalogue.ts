import type { CatalogueFile, ListedEntry } from '../../contract/model-lifecycle.ts';
import { compareCodePoints } from '../../platform/text/index.ts';

/** A date of a project's own for a model. */
export interface Override {
  model: string;
  /** null: whatever the provider. */
  provider: string | null;
  retiresOn: string;
  replacement: string | null;
  source: string | null;
}

/** Platforms that serve models of several makers. The others are makers, whose date counts where a call names no provider. */
const platforms = new Set(['azure', 'aws-bedrock', 'google-vertex', 'together', 'groq', 'cerebras']);

/** Providers of the catalogue by the names that calls use for them, lower case, `.` and `-` as `_`. */
const providers: Readonly<Record<string, string>> = {
  azure_ai_openai: 'azure',
  azure_ai_inference: 'azure',
  azure_openai: 'azure',
  azure_ai: 'azure',
  az_ai_openai: 'azure',
  az_ai_inference: 'azure',
  gcp_gemini: 'google',
  gcp_gen_ai: 'google',
  gemini: 'google',
  google_genai: 'google',
  google_ai_studio: 'google',
  gcp_vertex_ai: 'google-vertex',
  vertex_ai: 'google-vertex',
  vertexai: 'google-vertex',
  google_vertexai: 'google-vertex',
  google_vertex: 'google-vertex',
  aws_bedrock: 'aws-bedrock',
  amazon_bedrock: 'aws-bedrock',
  bedrock: 'aws-bedrock',
  bedrock_converse: 'aws-bedrock',
  mistral_ai: 'mistral',
  mistralai: 'mistral',
  x_ai: 'xai',
  together_ai: 'together',
  togetherai: 'together',
  dashscope: 'alibaba',
};

/** Prefixes of a model id that name where it is called, and no part of the model. */
const prefix =
  /^(?:(?:azure|azure_ai|openai|anthropic|bedrock|converse|vertex_ai|gemini|google|mistral|groq|together_ai|cerebras|xai|cohere|deepseek|dashscope|moonshot|openrouter|litellm_proxy|models|publishers\/[^/]+\/models)\/|(?:us|eu|apac|global|jp|au|us-gov)\.(?=[a-z0-9]+\.))/;

/** The maker before a model's name in ids of Amazon Bedrock. A list, because names of models have dots too, such as `qwen3.6-flash`. */
const maker =
  /^(?:ai21|amazon|anthropic|cohere|deepseek|google|luma|meta|minimax|mistral|moonshot|moonshotai|nvidia|openai|qwen|stability|twelvelabs|writer|zai)\.(?=.)/;

type Entry = ListedEntry & { provider: string };

/** Retirement dates by model. Finds the entry that holds for a call (docs/semantics.md, "Model lifecycle"). */
export class Catalogue {
  readonly reviewedOn: string;
  readonly #entries: readonly Entry[];
  readonly #exact: ReadonlyMap<string, readonly Entry[]>;
  readonly #folded: ReadonlyMap<string, readonly Entry[]>;

  constructor({ reviewedOn, models }: CatalogueFile) {
    this.reviewedOn = reviewedOn;
    this.#entries = models.map((entry) => ({
      model: entry.model,
      provider: entry.provider,
      aliases: entry.aliases,
      announcedOn: entry.announcedOn ?? null,
      retiresOn: entry.retiresOn ?? null,
      certainty: entry.certainty ?? null,
      replacement: entry.replacement ?? null,
      source: entry.source ?? null,
      checkedOn: entry.checkedOn ?? null,
      override: false,
    }));
    this.#exact = byId(this.#entries, (id) => id);
    this.#folded = byId(this.#entries, bareId);
  }

  /** Every entry, with a project's own dates in place of the shipped ones: by model, then provider. */
  list(overrides: readonly Override[]): ListedEntry[] {
    const replaced = (entry: Entry) => overrides.some((override) => covers(override, entry));
    return [...overrides.map((override) => this.entryOf(override)), ...this.#entries.filter((entry) => !replaced(entry))].sort(
      (left, right) => compareCodePoints(left.model, right.model) || compareCodePoints(left.provider ?? '', right.provider ?? ''),
    );
  }

  /** A project's own date as an entry; the rest of it is that of the shipped entry of its model. */
  entryOf(override: Override): ListedEntry {
    const shipped = this.find(override.model, override.provider ?? '');
    const same = shipped !== null && covers(override, shipped) ? shipped : null;
    return {
      model: override.model,
      provider: override.provider,
      aliases: same?.aliases ?? [],
      announcedOn: same?.announcedOn ?? null,
      retiresOn: override.retiresOn,
      certainty: 'firm',
      replacement: override.replacement ?? same?.replacement ?? null,
      source: override.source,
      checkedOn: null,
      override: true,
    };
  }

  /**
   * The entry that holds for calls of a model: that of the call's provider, else that of the model's maker, else the earliest; each time the
   * project's own date before the shipped one. Null where neither has the model.
   *
   * @param provider as the calls name it; `''` for none
   */
  lookUp(model: string, provider: string, overrides: readonly Override[]): ListedEntry | null {
    const shipped = this.find(model, provider);
    const named = providerOf(provider);
    const own = ownDates(model, shipped, overrides);
    const ofProvider = own.find((override) => override.provider === null || providerOf(override.provider) === named);
    if (ofProvider) return this.entryOf(ofProvider);
    if (shipped?.provider === named) return shipped;
    // Nothing is known of the call's provider: the maker's date holds, else the earliest, whether shipped or the project's own.
    const replacement = own.find(({ provider: ofOwn }) => ofOwn !== null && providerOf(ofOwn) === shipped?.provider);
    const entry = replacement ? this.entryOf(replacement) : shipped;
    if (shipped !== null && !platforms.has(shipped.provider)) return entry;
    return earliest([...own.map((override) => this.entryOf(override)), ...(entry ? [entry] : [])]);
  }

  find(model: string, provider: string): Entry | null {
    const folded = () => calledIds(model).map((id) => this.#folded.get(id));
    const found = this.#exact.get(model) ?? folded().find((entries) => entries !== undefined) ?? [];
    const named = providerOf(provider);
    return (
      found.find((entry) => entry.provider === named) ??
      earliest(found.filter((entry) => !platforms.has(entry.provider))) ??
      earliest(found)
    );
  }
}

function byId(entries: readonly Entry[], key: (id: string) => string): Map<string, Entry[]> {
  const found = new Map<string, Entry[]>();
  for (const entry of entries) {
    for (const id of new Set([entry.model, ...entry.aliases].map(key))) {
      const same = found.get(id);
      if (same) same.push(entry);
      else found.set(id, [entry]);
    }
  }
  return found;
}

/** A model id in lower case and without what says where it is called. */
function bareId(model: string): string {
  let bare = model.toLowerCase();
  for (let next = bare.replace(prefix, ''); next !== bare && next !== ''; next = bare.replace(prefix, '')) bare = next;
  return bare;
}

/** The ids that a called model may have in the catalogue, the most specific first: `anthropic.m` and `m` for `bedrock/us.anthropic.m`. */
function calledIds(model: string): string[] {
  const bare = bareId(model);
  return [...new Set([bare, bare.replace(maker, '')])];
}

/**
 * The project's own dates for a called model, one for each provider: the one whose id is nearest to the called id. A date for the model of the
 * shipped entry, which may have the called id as an alias only, is the farthest.
 */
function ownDates(model: string, shipped: Entry | null, overrides: readonly Override[]): Override[] {
  const ids = [...calledIds(model), ...(shipped ? [bareId(shipped.model)] : [])];
  const distance = (override: Override) => (override.model === model ? -1 : ids.indexOf(bareId(override.model)));
  const matching = overrides
    .filter((override) => ids.includes(bareId(override.model)))
    .sort((left, right) => distance(left) - distance(right));
  const nearest = new Map<string | null, Override>();
  for (const override of matching) {
    const provider = override.provider === null ? null : providerOf(override.provider);
    if (!nearest.has(provider)) nearest.set(provider, override);
  }
  return [...nearest.values()];
}

/** A call's provider as the catalogue names it. */
function providerOf(provider: string): string {
  const name = provider.toLowerCase();
  return providers[name.replaceAll(/[.\- ]/g, '_')] ?? name;
}

function covers(override: Override, { model, provider }: Entry): boolean {
  return bareId(override.model) === bareId(model) && (override.provider === null || providerOf(override.provider) === provider);
}

/** Entries without a date come last. */
function earliest<T extends ListedEntry>(entries: readonly T[]): T | null {
  const date = ({ retiresOn }: T) => retiresOn ?? '9999-12-31';
  return entries.reduce<T | null>((first, entry) => (first === null || date(entry) < date(first) ? entry : first), null);
}
