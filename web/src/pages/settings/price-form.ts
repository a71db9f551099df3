import type { OwnPrice, PriceBody } from '../../api/service.ts';

/** The texts of the form. */
export interface PriceTexts {
  model: string;
  inputPerMillion: string;
  outputPerMillion: string;
  cachedInputPerMillion: string;
  cacheWritePerMillion: string;
  from: string;
}

export const rateFields = ['inputPerMillion', 'outputPerMillion', 'cachedInputPerMillion', 'cacheWritePerMillion'] as const;
export type RateField = (typeof rateFields)[number];

const textOf = (rate: number | null | undefined) => (rate == null ? '' : String(rate));

/** The form for a price, or for a new one of a model. */
export function textsOf(price: OwnPrice | { model: string }): PriceTexts {
  const rates: Partial<OwnPrice> = price;
  return {
    model: price.model,
    inputPerMillion: textOf(rates.inputPerMillion),
    outputPerMillion: textOf(rates.outputPerMillion),
    cachedInputPerMillion: textOf(rates.cachedInputPerMillion),
    cacheWritePerMillion: textOf(rates.cacheWritePerMillion),
    from: rates.from?.slice(0, 10) ?? '',
  };
}

/**
 * The price of the form.
 *
 * @param earlier the edited price: its time of day is kept while its date stays
 * @returns errors by field instead, where a text is no price
 */
export function readPrice(
  texts: PriceTexts,
  earlier: OwnPrice | null,
): { price: PriceBody & { model: string } } | { errors: Partial<Record<keyof PriceTexts, string>> } {
  const errors: Partial<Record<keyof PriceTexts, string>> = {};
  const rates: Partial<Record<RateField, number>> = {};
  if (texts.model.trim() === '') errors.model = 'Required.';
  for (const field of rateFields) {
    const text = texts[field].trim();
    if (text === '') {
      if (field === 'inputPerMillion' || field === 'outputPerMillion')
        errors[field] = 'Required. Enter 0 for a model that costs nothing.';
    } else if (!/^\d{1,7}(\.\d*)?$|^\.\d+$/.test(text) || Number(text) > 1_000_000)
      errors[field] = 'Enter an amount such as 2.50.';
    else rates[field] = Number(text);
  }
  if (Object.keys(errors).length > 0) return { errors };
  const { inputPerMillion = 0, outputPerMillion = 0, ...others } = rates;
  const from = texts.from !== '' && earlier?.from?.startsWith(texts.from) === true ? earlier.from : texts.from;
  return { price: { model: texts.model, inputPerMillion, outputPerMillion, ...others, ...(from === '' ? {} : { from }) } };
}
