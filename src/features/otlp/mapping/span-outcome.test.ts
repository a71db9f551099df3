import { describe, expect, test } from 'vitest';
import { readAttributes } from '../read-attributes.fixture.ts';

describe('the error code of a failed span is read, in order of precedence, from', () => {
  const exception = { name: 'exception', attributes: { 'exception.type': 'Timeout', 'exception.message': 'too slow' } };
  const failed = (message: string) => ({
    name: 'exception',
    attributes: { 'exception.type': 'Timeout', 'exception.message': message },
  });
  test.each([
    ['error.type', { 'error.type': 'RateLimit', 'http.response.status_code': 429 }, 'no', [exception], 'RateLimit'],
    ['an error.type that is a number', { 'error.type': '418' }, '503 no', [failed('429 slow down')], '418'],
    ['a text before the name of a class', { 'error.type': 'openai.RateLimitError' }, '503 no', [failed('429 slow down')], '429'],
    [
      'the observation before the name of a class',
      { 'error.type': 'X', 'langfuse.observation.status_message': '502 no' },
      '',
      [],
      '502',
    ],
    ['the HTTP status', { 'http.response.status_code': 429 }, '503 no', [exception], '429'],
    ['the digits of the status message', {}, '503 no', [exception], '503'],
    ['the exception', {}, '5031 no', [exception], 'Timeout'],
    ['nothing', {}, '', [], 'unknown'],
    ['the exception behind an HTTP status below 400', { 'http.response.status_code': 200 }, '', [exception], 'Timeout'],
    ['error.type `error`', { 'error.type': 'error' }, '', [], 'unknown'],
    ['a code', { 'error.code': 'ECONNRESET' }, '503 no', [exception], 'ECONNRESET'],
    ['the digits behind a bare error.type', { 'error.type': 'Error' }, '503 no', [exception], '503'],
    ['the exception behind a bare error.type', { 'error.type': 'Exception' }, '', [exception], 'Timeout'],
    ['nothing behind a bare error.type', { 'error.type': 'Error' }, '', [], 'unknown'],
    ['the digits of the exception before the message', {}, '503 no', [failed('429 slow down')], '429'],
    ['the digits of the observation', { 'langfuse.observation.status_message': '502 no' }, '', [exception], '502'],
    [
      'the digits of the message before the observation',
      { 'langfuse.observation.status_message': '502 no' },
      '503 no',
      [],
      '503',
    ],
  ])('%s', (_what, attributes, message, events, errorCode) => {
    expect(readAttributes(attributes, { status: { code: 2, message }, events })).toMatchObject({ status: 'error', errorCode });
  });

  test.each([
    ['429 Rate limit reached', '429'],
    ['Error: 429 Rate limit reached', '429'],
    ['RateLimitError: 429 Rate limit reached', '429'],
    ['openai.RateLimitError: Error code: 429 - {}', '429'],
    ['Error code: 400 - {}', '400'],
    ['HTTP 599', '599'],
    ['302 Found', 'Timeout'],
    ['600 items', 'Timeout'],
    ['500ms passed', 'Timeout'],
    ['4290', 'Timeout'],
    ['after 429', 'Timeout'],
    ['Errors: 429', 'Timeout'],
  ])('the start of %s', (message, errorCode) => {
    expect(readAttributes({}, { status: { code: 2 }, events: [failed(message)] }).errorCode).toBe(errorCode);
    expect(readAttributes({}, { status: { code: 2, message }, events: [exception] }).errorCode).toBe(errorCode);
  });

  test.each([
    ["Error getting response: {'error': 'Error code: 429 - Rate limit reached'}", '429'],
    ["OpenAIRateLimitError('Error code: 429 - {}')Traceback (most recent call last):", '429'],
    ['status_code: 429, model_name: gpt-4.1, body: x', '429'],
    ['The request failed with HTTP status 503', '503'],
    ['{"statusCode": 502}', '502'],
    ["ClientError: {'error': {'code': 429, 'message': 'slow down'}}", '429'],
    ["Client error '401 Unauthorized' for url 'http://model'", '401'],
    ['failed: 429 RESOURCE_EXHAUSTED', '429'],
    ['Error code: 429.', '429'],
    ['An error occurred (ThrottlingException) when calling the Converse operation', '429'],
    ['An error occurred (TooManyRequestsException) when calling', '429'],
    ['An error occurred (ValidationException) when calling', 'Timeout'],
    ['used 429 tokens of 500', 'Timeout'],
    ['status_code: 200', 'Timeout'],
    ['code 429.5 of the manual', 'Timeout'],
    ['the code: 4291', 'Timeout'],
  ])('a text: %s', (message, errorCode) => {
    expect(readAttributes({}, { status: { code: 2 }, events: [failed(message)] }).errorCode).toBe(errorCode);
  });

  test.each([
    ['openai.RateLimitError', 'RateLimitError'],
    ['google.adk.models.google_llm._ResourceExhaustedError', 'ResourceExhaustedError'],
    ["<class 'semantic_kernel.exceptions.service_exceptions.ServiceResponseException'>", 'ServiceResponseException'],
    ['rate_limit.exceeded', 'rate_limit.exceeded'],
  ])('the class %s without its module', (type, errorCode) => {
    const raised = { name: 'exception', attributes: { 'exception.type': type, 'exception.message': 'no' } };
    expect(readAttributes({}, { status: { code: 2 }, events: [raised] }).errorCode).toBe(errorCode);
    expect(readAttributes({ 'error.type': type }, { status: { code: 2 } }).errorCode).toBe(errorCode);
  });

  test('a long message without a status is read in linear time', () => {
    const message = `${'Error: '.repeat(50_000)}${'a.'.repeat(200_000)}`;
    expect(readAttributes({}, { status: { code: 2, message } }).errorCode).toBe('unknown');
  });

  test('a span that did not fail has none', () => {
    expect(readAttributes({ 'error.type': 'x' }, { events: [exception] })).toMatchObject({
      status: '',
      errorCode: '',
      errorMessage: '',
    });
  });
});
