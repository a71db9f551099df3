import type { Page } from 'playwright-core';

/** Wording of the first release and what replaced it. The dashboard shows none of the former on any page. */
const discouraged: ReadonlyArray<readonly [first: RegExp, now: string]> = [
  [/\d (%|k\b)/i, '1%, 10.1K'],
  [/\d d \d+ h\b|\d h \d+ m\b/, '2d 14h'],
  [/\d:\d\d:\d\d [AP]M/, 'times to the minute'],
  [/^From … to …$/, 'Custom range'],
  [/^Length$/, 'Duration'],
  [/Use the sidebar, or Ctrl K/, 'Go to Overview'],
  [/^unknown: /, 'Tool timed out'],
  [/^Show .+ more of /, 'Show remaining 1.1 kB'],
  [/moves from \d+ to \d+/, 'Move production to version 3?'],
  [/Sampled share/, 'Sample rate'],
  [/A span, from a shell/, 'Send a span with curl'],
  [/\+\?/, 'partly unpriced'],
  [/That is all/, '16 prompts'],
  [/^(Made|Begun|Took|Of)$/, 'Created, Started, Duration, Subject'],
  [/\bMake (a|an|one|the) /i, 'Create'],
  [/US dollars a day/, 'Daily cost (USD)'],
  [/of a day, busiest/, 'Daily mean, top models'],
  [/to have them counted/, 'Set a price, or send costUsd.'],
  [/^Its /, 'View traces, Labels'],
  [/Cost of a call|a success$/, 'Cost per call, per successful call'],
  [/In use by/, 'Used by'],
  [/Beside the other models|how this one stands/, 'Compared with other models'],
  [/times as much/, '94% cheaper'],
  [/none beats in both/, 'best quality at each cost'],
  [/price is not known|known price/, 'No price configured'],
  [/It is not here|that there are|lists what there is/, 'Trace not found'],
  [/the stroke in a bar/, 'legend: first token'],
  [/And \d+ more: filter/, 'Show 1 more'],
  [/^by (its evaluator|the application)/, 'Automated, API'],
  [/folded to keep this page quick/, 'Large payload (2 MB). Show'],
  [/and leave every figure|cannot be taken back/, "This can't be undone."],
  [/where it should have been another/, 'Edit this to the correct answer.'],
  [/In no folder|Search names of prompts/, 'Unfiled, Search prompts'],
  [/no deployment to change a sentence/, 'Edit prompts without redeploying.'],
  [/^Fetch it$/, 'Use this prompt'],
  [/who names no label|Moving it back is as quick/, 'You can move it back at any time.'],
  [/take in another prompt|It leads nowhere/, 'include another prompt'],
  [/what should come of them/, 'inputs and expected outputs'],
  [/^Pick$/, 'Select'],
  [/the run (before|after)/, 'Baseline, Candidate'],
  [/^the same$|Largest loss|^In words$/, 'Unchanged, Biggest regression, Summary'],
  [/\balike\b|in either case|Passed lately/, '≥ 80% similar, ignore case, Recent pass rate'],
  [/What it looks at|it looks at what/, 'Scope'],
  [/From this on|from this on/, 'Scores at or above this pass.'],
  [/it goes by its slug|Runs on dataset runs alone/, 'Defaults to the slug. Dataset runs only.'],
  [/by themselves|of the connection names it/, 'added automatically'],
  [/failed for good|Annotate with it/, 'Failed after retries, Annotate'],
  [/Room in the queue|Left out|left out|found the queue full/, 'Queue capacity, Skipped'],
  [/Traces without a score of it|No trace comes up/, 'Unscored traces, Queue empty'],
  [/Whatever it is/, 'Any'],
  [/That did not work/, "Can't reach Spanwise"],
  [/may do:/, 'Can view everything'],
  [/shown nowhere|starts anew|the operator changes it/, 'Older data is hidden, Resets'],
  [/You need none to use/, 'For scripts and CI.'],
  [/where an evaluator names no other/, 'Default model.'],
  [/the commands below have it already/, 'Added to the commands below'],
  [/what judges them|A GET has none|pointer into the answer|Time-out/, 'Dataset and evaluation, Timeout'],
  [/^An inconclusive check$|^Agents, operations$|^Passed, failed$/, 'Inconclusive checks; a row for each figure'],
  [/Newly failing/, 'New errors'],
  [/leads? nowhere|\bnobody\b|whoever/i, 'what happens'],
];

/** The discouraged wording that a page shows, in texts, labels, tooltips and placeholders. */
export async function discouragedWords(page: Page): Promise<string[]> {
  const texts = await page.evaluate(shownTexts);
  return texts.flatMap((text) => discouraged.filter(([first]) => first.test(text)).map(([, now]) => `“${text}”; better: ${now}`));
}

/** The texts of a page, each with its parts in other elements, but for what clients sent: payloads and code. Runs in the browser. */
function shownTexts(): string[] {
  const texts = new Set<string | null | undefined>();
  const foreign = 'pre, code, bdi, script, style, [contenteditable], textarea';
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const isBlank = node.textContent?.trim() === '';
    if (!isBlank && node.parentElement?.closest(foreign) === null) texts.add(node.parentElement.textContent);
  }
  for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]')) {
    if (element.closest(foreign) !== null) continue;
    for (const name of ['aria-label', 'title', 'placeholder']) texts.add(element.getAttribute(name));
  }
  return [...texts].flatMap((text) => text?.trim() || []);
}
