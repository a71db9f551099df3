import { answerSchema } from './judge-messages.ts';

/**
 * How a model is asked for the form of its answer, the strictest first. Servers differ in what they know of `response_format`, and
 * some models take no `temperature`.
 */
export interface AnswerFormat {
  form: 'schema' | 'json' | 'text';
  temperature: boolean;
}

const strictest: AnswerFormat = { form: 'schema', temperature: true };
const mostRemembered = 1_000;

/** Which format a model of a connection took last. Kept in memory: forgetting costs one refused request. */
export class AnswerFormats {
  readonly #known = new Map<string, AnswerFormat>();

  of(key: string): AnswerFormat {
    return this.#known.get(key) ?? strictest;
  }

  remember(key: string, format: AnswerFormat): void {
    if (format === strictest) return;
    if (this.#known.size >= mostRemembered) this.#known.clear();
    this.#known.set(key, format);
  }
}

/** What to try after a 400, null when nothing is left. `told` is what the server said of it. */
export function weaker(format: AnswerFormat, told: string): AnswerFormat | null {
  if (format.temperature && /temperature/i.test(told)) return { ...format, temperature: false };
  switch (format.form) {
    case 'schema':
      return { ...format, form: 'json' };
    case 'json':
      return { ...format, form: 'text' };
    case 'text':
      return null;
  }
}

/** The fields of a chat completion request that ask for a format. */
export function formatFields({ form, temperature }: AnswerFormat): Record<string, unknown> {
  return {
    ...(temperature ? { temperature: 0 } : {}),
    ...(form === 'schema'
      ? { response_format: { type: 'json_schema', json_schema: { name: 'judgement', strict: true, schema: answerSchema } } }
      : {}),
    ...(form === 'json' ? { response_format: { type: 'json_object' } } : {}),
  };
}
