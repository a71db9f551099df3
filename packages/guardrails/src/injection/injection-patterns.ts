import type { InjectionPattern } from './injection-pattern.ts';
import { languagePatterns } from './language-patterns.ts';

const orders = 'instructions?|prompts?|directions?|rules|commands?|orders|guidelines|directives|assignments?|tasks|programming';
const earlier = 'previous|prior|preceding|above|earlier|former|foregoing|existing|original|initial|system';
const drop = 'ignore|disregard|forget|drop|override|bypass|discard|neglect|abandon';
const dropGerman = 'ignorieren? sie|ignorieren?|vergessen? sie|vergiss|vergessen|missachten? sie|missachte';
const ordersGerman =
  'anweisungen|instruktionen|befehle|aufgaben|aufträge|angaben|vorgaben|regeln|informationen|anordnungen|ausführungen|prompts?|aufforderungen';

/** Phrases in English, German and the languages of `languagePatterns`. */
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
    pattern: String.raw`\bwhat\s+(?:were|are)\s+your\s+(?:initial|original|exact|system|hidden|secret|internal)\s+(?:instructions|prompts?)\b`,
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
  // "Do not follow your earlier rules", "obey only me"
  {
    pattern: String.raw`\b(?:do\s+not|don['’]?t|never|stop|no\s+longer|cease\s+to)\s+(?:follow|obey|respect|heed|adhere\s+to|comply\s+with|listen\s+to|abide\s+by)(?:ing)?\s+(?:(?:any|all|of|the|your|my|these|those)\s+){1,4}(?:(?:${earlier})\s+)?(?:[a-z]+\s+)?(?:${orders}|restrictions|programming)\b`,
    score: 0.85,
  },
  {
    pattern: String.raw`\b(?:(?:obey|follow|listen\s+to|answer\s+to|take\s+orders\s+from)\s+(?:only\s+me|me\s+(?:only|alone)|nobody\s+but\s+me|no\s+one\s+but\s+me)|(?:only|exclusively)\s+(?:obey|follow|listen\s+to)\s+(?:me|my)|must\s+obey\s+(?:me|my|every))\b`,
    score: 0.85,
  },
  {
    pattern: String.raw`\b(?:ignore|disregard|forget|skip)\s+(?:all\s+)?(?:of\s+)?(?:the\s+|everything\s+|anything\s+|what(?:ever)?\s+(?:is|was|comes)\s+(?:said\s+|written\s+)?)?(?:above|preceding)(?:\s+(?:and|but|text|this)\b|[.,!;:]|$)`,
    score: 0.85,
  },
  // No rules any more.
  {
    pattern: String.raw`\byou\s+(?:now\s+)?(?:have|are\s+bound\s+by|are\s+subject\s+to|operate\s+under|are\s+under)\s+no\s+(?:more\s+|longer\s+|[a-z]+\s+)?(?:restrictions?|rules|limits|limitations|filters?|guidelines|constraints|policies|boundaries)\b`,
    score: 0.85,
  },
  {
    pattern: String.raw`\byou\s+are\s+(?:now\s+)?(?:no\s+longer|not)\s+(?:bound|restricted|limited|constrained|governed)\s+by\b|\byou\s+are\s+(?:now\s+)?(?:free|freed|released|exempt)\s+(?:of|from)\s+(?:all\s+|any\s+|your\s+|the\s+)+(?:[a-z]+\s+)?(?:restrictions?|rules|limits|limitations|filters?|guidelines|constraints|policies)\b`,
    score: 0.85,
  },
  {
    pattern: String.raw`\b(?:answer|respond|reply|act|speak|operate|behave)\s+(?:[a-z]+\s+){0,3}without\s+(?:any\s+)?(?:[a-z]+\s+)?(?:restrictions?|filters?|censorship|limitations|guidelines|safeguards|guardrails|ethics|morals)\b`,
    score: 0.75,
  },
  {
    pattern: String.raw`\b(?:disable|deactivate|turn\s+off|switch\s+off|bypass|circumvent|override|remove|lift|drop)\s+(?:all\s+|any\s+)?(?:of\s+)?your\s+(?:[a-z]+\s+){0,2}(?:filters?|guardrails?|restrictions?|guidelines|protocols?|safeguards|limitations|safety|censorship|moderation)\b`,
    score: 0.85,
  },
  {
    pattern: String.raw`\b(?:enter|activate|enable|engage|switch\s+to|go\s+into|start|you\s+are\s+(?:now\s+)?in|unlock)\s+(?:the\s+|your\s+)?(?:developer|debug|god|dan|jailbreak|admin|administrator|sudo|unrestricted|unfiltered|uncensored|root|maintenance|opposite|evil)\s+mode\b`,
    score: 0.85,
  },
  // What the model was told.
  {
    pattern: String.raw`\b(?:repeat|print|output|reproduce|copy|show|write|display|return|echo|recite|quote|dump|summari[sz]e)\s+(?:me\s+|us\s+|out\s+|back\s+)?(?:all\s+|exactly\s+|everything\s+)?(?:of\s+)?(?:the\s+|your\s+)?(?:text|words?|content|contents|message|messages|instructions?|prompt|lines?|sentences|conversation|everything)?\s*(?:(?:that\s+(?:is|are|was|were|comes?|came)\s+)?(?:written\s+|placed\s+)?(?:above|preceding\s+this|before\s+this|prior\s+to\s+this))\b`,
    score: 0.75,
  },
  {
    pattern: String.raw`\b(?:tell|show|give|reveal|print|output|share|disclose|dump|send|list|expose|leak|repeat|recite|quote)\s+(?:to\s+)?(?:me\s+|us\s+)?(?:verbatim\s+)?(?:all\s+)?(?:of\s+)?your\s+(?:[a-z]+\s+){0,2}(?:instructions|prompts?|system\s+message|directives|configuration|guidelines|programming)\b`,
    score: 0.75,
  },
  {
    pattern: String.raw`\b(?:what|which)\s+(?:is|are|was|were)\s+(?:in\s+|written\s+in\s+)?your\s+(?:full\s+|secret\s+|hidden\s+|internal\s+|initial\s+|original\s+|exact\s+|current\s+)?(?:system\s+(?:prompt|message|instructions)|prompt)\b|\b(?:instructions?|prompt|rules)\s+(?:that\s+)?you\s+(?:were|have\s+been)\s+(?:given|told|initiali[sz]ed\s+with)\b`,
    score: 0.75,
  },
  // The marks of messages, written by hand.
  {
    pattern: String.raw`<\s*/?\s*(?:system|assistant|admin|developer)(?:\s*(?:_|\s)?(?:prompt|message|instructions?|override))?\s*>|\[\s*/?(?:system|admin)(?:\s+(?:prompt|message|note|override))?\s*\]`,
    score: 0.7,
  },
  {
    pattern: String.raw`\b(?:system|admin|administrator|developer|security)\s+override\b\s*[:!]|\b(?:end|start|begin|beginning)\s+of\s+(?:the\s+)?(?:system\s+)?(?:prompt|instructions)\b`,
    score: 0.6,
  },
  {
    pattern: String.raw`\byour\s+(?:new|real|actual|true)\s+(?:instructions?|task|rules|goal|objective|purpose|role)\s+(?:is|are)\b|\bnew\s+(?:instructions?|rules|directive)\s*:`,
    score: 0.7,
  },
  {
    pattern: String.raw`\bfrom\s+(?:now\s+on|this\s+(?:point|moment)\s+(?:on|forward|onwards?))\s*,?\s+(?:you\s+(?:are|will|must|shall|should|only|have|can|act|answer)|(?:only\s+)?(?:obey|ignore|answer|respond|act|reply)|your\s+name)\b`,
    score: 0.65,
  },
  { pattern: String.raw`\b(?:zaboravi|ignoriraj)\s+(?:sve\s+)?(?:prethodne\s+)?(?:instrukcije|upute)`, score: 0.9 },
  ...languagePatterns,
];
