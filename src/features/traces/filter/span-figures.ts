/** SQL over a row of `spans`: milliseconds from start to end; NULL while it runs. */
export const durationSql =
  'if(isNull(end_time), NULL, greatest(0, (reinterpretAsInt64(assumeNotNull(end_time)) - reinterpretAsInt64(start_time)) / 1e6))';

/** SQL over a row of `spans`: input and output tokens; NULL where neither was sent. */
export const tokensSql =
  'if(isNull(input_tokens) AND isNull(output_tokens), NULL, ifNull(input_tokens, 0) + ifNull(output_tokens, 0))';
