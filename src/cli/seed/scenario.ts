/** The company that `spanwise seed` simulates: its agents, their inputs, and the models that they call. */

export interface ModelProfile {
  model: string;
  requested: string;
  provider: string;
  /** Median milliseconds of a call, and of its first token. */
  latencyMs: number;
  firstTokenMs: number;
  /** How well its answers score, 0..1. */
  quality: number;
  errorRate: number;
}

export const models = {
  large: {
    model: 'gpt-4o-2024-08-06',
    requested: 'gpt-4o',
    provider: 'openai',
    latencyMs: 2400,
    firstTokenMs: 480,
    quality: 0.86,
    errorRate: 0.012,
  },
  small: {
    model: 'gpt-4o-mini-2024-07-18',
    requested: 'gpt-4o-mini',
    provider: 'openai',
    latencyMs: 900,
    firstTokenMs: 310,
    quality: 0.74,
    errorRate: 0.008,
  },
  writer: {
    model: 'claude-sonnet-4-5-20250929',
    requested: 'claude-sonnet-4-5',
    provider: 'anthropic',
    latencyMs: 3100,
    firstTokenMs: 690,
    quality: 0.91,
    errorRate: 0.015,
  },
  quick: {
    model: 'gemini-2.5-flash',
    requested: 'gemini-2.5-flash',
    provider: 'google',
    latencyMs: 700,
    firstTokenMs: 260,
    quality: 0.77,
    errorRate: 0.01,
  },
  own: {
    model: 'acme/llama-3.3-70b-support-ft',
    requested: 'acme/llama-3.3-70b-support-ft',
    provider: 'acme',
    latencyMs: 1500,
    firstTokenMs: 220,
    quality: 0.8,
    errorRate: 0.03,
  },
} as const satisfies Record<string, ModelProfile>;

export interface AgentProfile {
  name: string;
  /** The application that runs it. */
  service: string;
  /** Share of all traces. */
  share: number;
  promptName: string;
  models: readonly [ModelProfile, ...ModelProfile[]];
  tools: readonly [string, ...string[]];
  retrieves: boolean;
  questions: readonly [string, ...string[]];
  answers: readonly [string, ...string[]];
}

export const agents: readonly [AgentProfile, ...AgentProfile[]] = [
  {
    name: 'support-triage',
    service: 'helpdesk',
    share: 0.4,
    promptName: 'support/triage',
    models: [models.small, models.quick, models.small],
    tools: ['lookup_order', 'lookup_customer'],
    retrieves: false,
    questions: ['Where is order 48213?', 'My invoice shows the wrong address.', 'The app logs me out every hour.'],
    answers: [
      'Your parcel left Rotterdam this morning.',
      'I changed the address; a new invoice is on its way.',
      'I passed this to our mobile team.',
    ],
  },
  {
    name: 'billing-resolver',
    service: 'helpdesk',
    share: 0.2,
    promptName: 'billing/resolve',
    models: [models.large, models.own],
    tools: ['lookup_invoice', 'issue_refund', 'lookup_customer'],
    retrieves: true,
    questions: ['I was charged twice in October.', 'Please move us to yearly billing.', 'Why did VAT change on my last bill?'],
    answers: [
      'One of the two charges is refunded.',
      'Yearly billing starts on the first.',
      'The rate follows your new billing country.',
    ],
  },
  {
    name: 'research-assistant',
    service: 'workspace',
    share: 0.25,
    promptName: 'research/answer',
    models: [models.writer, models.large],
    tools: ['search_documents', 'fetch_page'],
    retrieves: true,
    questions: [
      'Compare our three data retention policies.',
      'What did the last pen test find?',
      'Summarise the Q3 churn interviews.',
    ],
    answers: [
      'They differ in scope and in who may extend them.',
      'Two medium findings, both closed.',
      'Price was named less often than onboarding.',
    ],
  },
  {
    name: 'code-reviewer',
    service: 'review-bot',
    share: 0.15,
    promptName: 'engineering/review',
    models: [models.writer, models.quick],
    tools: ['read_diff', 'run_tests'],
    retrieves: false,
    questions: ['Review pull request 918.', 'Is this migration safe under load?', 'Why is the cache test flaky?'],
    answers: [
      'Two comments: a missing index and a racy test.',
      'It locks the table; add it concurrently.',
      'It depends on the wall clock.',
    ],
  },
];

export const failures: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ['429', 'Rate limit reached for requests'],
  ['timeout', 'The model did not answer within 30 s'],
  ['500', 'The server had an error while processing the request'],
  ['context_length_exceeded', 'The conversation is longer than the context window'],
];

export const evaluators: readonly [string, ...string[]] = ['helpfulness', 'faithfulness', 'tone'];
