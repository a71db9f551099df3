/** A pattern of a prompt injection with its score: how sure it is that a text with it is one, 0 to 1. */
export interface InjectionPattern {
  /** Matched in either case; RE2 syntax. */
  pattern: string;
  score: number;
}

const orders = 'instructions?|prompts?|directions?|rules|commands?|orders|guidelines|directives|assignments?|tasks';
const earlier = 'previous|prior|preceding|above|earlier|former|foregoing|existing|original|initial|system';
const drop = 'ignore|disregard|forget|drop|override|bypass|discard|neglect|abandon';
const dropGerman = 'ignorieren? sie|ignorieren?|vergessen? sie|vergiss|vergessen|missachten? sie|missachte';
const ordersGerman =
  'anweisungen|instruktionen|befehle|aufgaben|aufträge|angaben|vorgaben|regeln|informationen|anordnungen|ausführungen|prompts?|aufforderungen';

/** Phrases in English and German, and the commonest ones in Spanish, French and Croatian. */
export const injectionPatterns: readonly InjectionPattern[] = [
  // "ignore all previous instructions"
  {
    pattern: String.raw`\b(?:${drop})(?:ing)?\s+(?:about\s+)?(?:(?:all|any|every|each|of|the|your|my|these|those|previously|given|and)\s+){0,5}(?:${earlier})\s+(?:[a-z]+\s+)?(?:${orders}|information|context|messages?|conversation|text|content|input)\b`,
    score: 0.95,
  },
  {
    pattern: String.raw`\b(?:${drop})\s+(?:about\s+)?all\s+(?:of\s+)?(?:the\s+|your\s+|my\s+|these\s+)?(?:${orders})\b`,
    score: 0.9,
  },
  { pattern: String.raw`\b(?:${drop})\s+(?:all\s+)?your\s+(?:${orders}|programming|training)\b`, score: 0.9 },
  // "forget everything before that"
  {
    pattern: String.raw`\b(?:forget|ignore|disregard)\s+(?:about\s+)?(?:everything|all|anything|what(?:ever|['’]?s|\s+is|\s+was)?)\s+(?:that\s+)?(?:(?:i|we|you)(?:['’]?ve)?\s+(?:\w+\s+){0,2}(?:said|told|talked|discussed|wrote|learned|know)|(?:was\s+)?(?:before|above|prior|previously|said\s+before|so\s+far))\b`,
    score: 0.9,
  },
  {
    pattern: String.raw`\b(?:forget|ignore)\s+(?:about\s+)?everything\s*(?:,|\.|and\s+(?:just\s+)?(?:tell|say|write|print|output|jsut))`,
    score: 0.8,
  },
  { pattern: String.raw`\bignore\s+(?:the\s+)?above\b`, score: 0.85 },
  {
    pattern: String.raw`\b(?:new|different)\s+(?:instructions?|tasks?|assignment)\s+(?:now\s+)?follows?\b|\bnow\s+(?:come\s+)?new\s+tasks\b`,
    score: 0.7,
  },
  // The text of the prompt.
  {
    pattern: String.raw`\b(?:show|reveal|print|repeat|output|display|leak|tell|give|return)\s+(?:me\s+|us\s+)?(?:all\s+)?(?:of\s+)?(?:your|the)\s+(?:(?:entire|full|whole|complete|initial|original|hidden|secret|internal)\s+){0,2}(?:system\s+prompts?|prompt\s+texts?|system\s+message|hidden\s+instructions|initial\s+instructions|embeddings)\b`,
    score: 0.85,
  },
  {
    pattern: String.raw`\bwhat\s+(?:were|are)\s+your\s+(?:initial|original|exact|system|hidden)\s+(?:instructions|prompts?)\b`,
    score: 0.8,
  },
  // Another role without the model's rules.
  {
    pattern: String.raw`\byou\s+are\s+(?:now\s+)?(?:dan\b|do\s+anything\s+now|developer\s+mode|jailbroken|unfiltered|an?\s+(?:unrestricted|uncensored|unfiltered|evil|immoral)\s+(?:ai|assistant|model|bot|chatbot))`,
    score: 0.9,
  },
  {
    pattern: String.raw`\b(?:pretend|imagine|act\s+as\s+if)\s+(?:that\s+)?you\s+(?:are|were|have|can)\s+(?:an?\s+)?(?:evil|unrestricted|uncensored|unfiltered|no\s+(?:restrictions|rules|guidelines|limits|filters?)|access\s+past)`,
    score: 0.85,
  },
  { pattern: String.raw`\bi\s+want\s+you\s+to\s+act\s+as\s+an?\b`, score: 0.6 },
  {
    pattern: String.raw`\bich\s+möchte,?\s+dass\s+(?:sie|du)\s+als\s+[^.!?\n]{1,60}(?:fungier|auftret|agier)(?:en|st)\b`,
    score: 0.6,
  },
  { pattern: String.raw`\b(?:do\s+anything\s+now|jailbreak\s+mode|developer\s+mode\s+(?:enabled|on))\b`, score: 0.8 },
  { pattern: String.raw`\bdo\s+not\s+answer\s+(?:this|the)\s+question\s+but\b`, score: 0.8 },
  // The marks of other messages inside a text.
  { pattern: String.raw`<\|(?:im_start|im_end|system|endoftext|start_header_id|eot_id)\|>|\[/?INST\]|<</?SYS>>`, score: 0.8 },
  { pattern: String.raw`(?m:^)\s*#{0,3}\s*(?:system|new)\s+(?:prompt|instructions?|override)\s*:`, score: 0.7 },
  // German.
  {
    pattern: String.raw`\b(?:${dropGerman})\s+(?:(?:nun|jetzt|bitte|doch)\s+)?(?:alle[srn]?|die|deine|ihre|meine|sämtliche)\s+(?:[\p{L}]+\s+){0,2}(?:${ordersGerman})(?:$|[^\p{L}])`,
    score: 0.95,
  },
  {
    pattern: String.raw`\b(?:vergiss|vergessen\s+sie|ignoriere|ignorieren\s+sie)\s+(?:nun\s+|jetzt\s+)?alles,?\s+(?:davor|vorher|bisher|zuvor|gesagte|was|obige)`,
    score: 0.95,
  },
  {
    pattern: String.raw`(?:^|[^\p{L}])(?:obigen?|vorherigen?|bisherigen?|vorangehenden?)\s+(?:${ordersGerman})\s+(?:[\p{L}]+\s+){0,2}(?:ignorieren|vergessen|hinter\s+sich)`,
    score: 0.9,
  },
  { pattern: String.raw`\bh(?:ö|oe)re?n?\s+(?:sie\s+)?nicht\s+auf\s+(?:alles|das)\s+(?:zuvor|vorher|bisher)`, score: 0.9 },
  { pattern: String.raw`\bzeige?\S{0,2}\s+(?:mir\s+)?(?:alle\s+)?deine[rn]?\s+(?:gesamten\s+)?prompt`, score: 0.9 },
  { pattern: String.raw`\b(?:nun|jetzt)\s+(?:folgen|kommen)\s+(?:neue|weitere)\s+aufgaben\b`, score: 0.7 },
  // Spanish, French, Croatian.
  {
    pattern: String.raw`\b(?:olvid[ae]|ignor[ae])\s+(?:todas?\s+)?(?:las\s+)?(?:instrucciones|todo\s+(?:lo\s+)?que)`,
    score: 0.9,
  },
  {
    pattern: String.raw`\b(?:oubli(?:e|ez)|ignor(?:e|ez))\s+(?:toutes\s+)?(?:les\s+|tes\s+|vos\s+)(?:instructions|consignes)`,
    score: 0.9,
  },
  { pattern: String.raw`\b(?:zaboravi|ignoriraj)\s+(?:sve\s+)?(?:prethodne\s+)?(?:instrukcije|upute)`, score: 0.9 },
];
