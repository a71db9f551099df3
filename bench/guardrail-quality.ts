// Precision and recall of the guardrail engine on the corpora of test/fixtures/guardrails: node scripts/run.mjs bench/guardrail-quality.ts
import { finderOf, injectionQuality, piiQuality, secretQuality, simpleFinder } from '../test/support/guardrail-quality.ts';

const simplePii = simpleFinder({
  email: /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g,
  phone: /\+\d[\d ().-]{6,}\d/g,
  payment_card: /\b\d(?:[ -]?\d){12,18}\b/g,
  iban: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b/g,
  us_ssn: /\b\d{3}-\d{2}-\d{4}\b/g,
  ip_address: /\b\d{1,3}(?:\.\d{1,3}){3}\b/g,
});
const simpleSecrets = simpleFinder({ secret: /\b(?:AKIA|ghp_|glpat-|sk-|xox[bp]-|AIza|eyJ)[A-Za-z0-9_.-]{16,}/g });
const simpleInjection = simpleFinder({
  prompt_injection: /\b(?:ignore|disregard|forget|override|pretend|jailbreak|system prompt|instructions)\b/gi,
});

for (const set of ['sentences', 'presidio', 'values'] as const) {
  const [engine, simple] = [piiQuality(finderOf('pii'), set), piiQuality(simplePii, set)];
  for (const entity of Object.keys(engine).sort()) console.log(set, entity, engine[entity], 'simple:', simple[entity]);
}
for (const [name, find] of [
  ['engine', finderOf('secrets')],
  ['simple', simpleSecrets],
] as const) {
  console.log('secrets', name, secretQuality(find));
}
for (const [name, find] of [
  ['engine', finderOf('prompt_injection')],
  ['simple', simpleInjection],
] as const) {
  console.log('injection', name, injectionQuality(find));
}
