/** A field of spans in which the service differs from test/fixtures/otlp-python/expected.json. */
interface Deviation {
  reason: string;
  field: string;
  value: unknown;
  /** First digits of the ids of the spans. */
  spans: readonly string[];
}

/** By client. Where expected.json follows from a rule and the attributes say otherwise, the attributes decide. */
export const deviations: Readonly<Record<string, readonly Deviation[]>> = {
  'oi-litellm': [
    { reason: 'inferred from the model text-embedding-3-small', field: 'provider', value: 'openai', spans: ['b15240'] },
    { reason: 'embedding.embeddings.N.embedding.vector', field: 'has_output', value: true, spans: ['b15240'] },
  ],
  'oi-google-genai': [{ reason: 'embedding.embeddings.N.embedding.vector', field: 'has_output', value: true, spans: ['4a3b18'] }],
  'oi-agno': [
    {
      reason: '"run status: error" of the agent says nothing: the error is that of its failed call',
      field: 'error_code',
      value: 'ModelProviderError',
      spans: ['f2852c'],
    },
  ],
  'oi-haystack': [
    { reason: 'inferred from the model text-embedding-3-small', field: 'provider', value: 'openai', spans: ['ed07be'] },
  ],
  'langsmith-otel': [
    {
      reason: 'langchain is a framework',
      field: 'provider',
      value: null,
      spans: [
        '9914bd',
        '924cb7',
        '66d535',
        '646227',
        '960780',
        '5bdf28',
        '77cb7b',
        '6a575c',
        'abec8e',
        '53bd66',
        'b67360',
        'eb038d',
        'd2beda',
        'cee493',
      ],
    },
  ],
  'otel-bedrock': [
    { reason: '(ThrottlingException) of AWS is the status 429', field: 'error_code', value: '429', spans: ['d301fb'] },
  ],
};
