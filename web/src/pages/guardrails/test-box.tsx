import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import type { GuardrailTypeName } from '../../api/parts.ts';
import { ActionBadge } from '../../content/check-action.tsx';
import type { CheckOutcome } from '../../content/guardrail-worker.ts';
import { guardrailTypeLabels } from '../../content/guardrail-labels.ts';
import { LongText } from '../../content/long-text.tsx';
import { markedParts } from '../../content/marked-parts.ts';
import { MatchedText } from '../../content/matched-text.tsx';
import type { LiveCheck } from '../../content/use-guardrail-check.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { classNames } from '../../design/class-names.ts';
import { CopyButton } from '../../design/copy.tsx';
import { TextArea } from '../../design/field.tsx';
import { Segments } from '../../design/segments.tsx';
import { VisibleLine } from '../../design/visible.tsx';

/** What the test is about. */
export interface TestSettings {
  text: string;
  stage: 'input' | 'output';
  /** Also runs the other guardrails of the project. */
  together: boolean;
}

interface TestBoxProps {
  settings: TestSettings;
  onSettings(change: Partial<TestSettings>): void;
  stages: ReadonlyArray<'input' | 'output'>;
  type: GuardrailTypeName;
  /** The slug under which the draft is checked. */
  slug: string;
  check: LiveCheck;
  /** Other guardrails that run together with this one. */
  companions: number;
  /** The configuration has a problem, which its field shows. */
  invalid: boolean;
}

/** Checks a typed text in the browser, and shows the matches and the resulting text. */
export function TestBox(props: TestBoxProps): ReactNode {
  const { settings, onSettings, stages, type, check, companions, invalid } = props;
  const { sample, isRemote } = guardrailTypeLabels[type];
  return (
    <Card
      title="Test"
      aside={
        <div className="flex flex-wrap gap-2">
          {stages.length > 1 && (
            <Segments
              label="Test as"
              value={settings.stage}
              options={stages.map((value) => ({ value, label: value === 'input' ? 'Input' : 'Output' }))}
              onValue={(stage) => onSettings({ stage })}
            />
          )}
          {companions > 0 && (
            <Segments
              label="Guardrails to run"
              value={settings.together ? 'all' : 'one'}
              options={[
                { value: 'one', label: 'This one' },
                { value: 'all', label: `All ${companions + 1}` },
              ]}
              onValue={(value) => onSettings({ together: value === 'all' })}
            />
          )}
        </div>
      }
    >
      <div className="flex flex-col gap-3 p-3">
        <TextArea
          label="Text to test"
          rows={6}
          placeholder="Type or paste a text."
          hint="Checked in your browser by the same engine as in the service. Not sent, not stored."
          value={settings.text}
          spellCheck={false}
          onChange={(event) => onSettings({ text: event.target.value })}
        />
        {settings.text === '' && sample !== undefined && (
          <div>
            <Button size="small" onClick={() => onSettings({ text: sample })}>
              Use an example
            </Button>
          </div>
        )}
        {isRemote && <p className="text-ink-soft">An LLM judge runs in the service. This test runs the other types only.</p>}
        {invalid && !isRemote && <p className="text-ink-soft">Complete the configuration of this guardrail to test it.</p>}
        {check.failed ? (
          <p role="alert" className="text-bad">
            The guardrail engine could not be loaded. Reload the page to test.
          </p>
        ) : (
          settings.text !== '' &&
          check.answer && <Outcome {...props} outcome={check.answer.reply.outcome} text={check.answer.input.text} />
        )}
      </div>
    </Card>
  );
}

const finals: Readonly<Record<CheckOutcome['action'], string>> = {
  block: 'The text must not be passed on.',
  redact: 'The text is passed on with its matches replaced.',
  flag: 'The text is passed on unchanged.',
  allow: 'The text is passed on unchanged.',
};

function Outcome({ outcome, text, check, slug }: TestBoxProps & { outcome: CheckOutcome; text: string }): ReactNode {
  const [focus, setFocus] = useState<string | null>(null);
  const { action, results } = outcome;
  const focused = results.some(({ guardrail }) => guardrail === focus) ? focus : null;
  const parts = useMemo(() => {
    const shown = results.filter(({ guardrail }) => focused === null || guardrail === focused);
    return markedParts(
      text,
      shown.flatMap(({ matches }) => matches),
    );
  }, [text, results, focused]);
  if (results.length === 0) return null;
  const count = results.reduce((sum, { matches }) => sum + matches.length, 0);
  return (
    <div className={classNames('flex flex-col gap-3', check.running && 'opacity-60')} aria-busy={check.running}>
      <p role="status" className="flex flex-wrap items-center gap-2">
        <ActionBadge action={action} done />
        <span>{finals[action]}</span>
      </p>
      <ul className="flex flex-col" aria-label="Results">
        {results.map((result) => (
          <Result
            key={result.guardrail}
            result={result}
            title={result.guardrail === slug ? 'This guardrail' : result.guardrail}
            selected={focused === result.guardrail}
            {...(results.length > 1 ? { onSelect: () => setFocus(focused === result.guardrail ? null : result.guardrail) } : {})}
          />
        ))}
      </ul>
      {count > 0 && <MatchedText label="Matches in the text" parts={parts} />}
      {outcome.text !== text && (
        <div>
          <div className="flex h-8 items-center justify-between">
            <h3 className="text-xs font-semibold text-ink-soft">Resulting text</h3>
            <CopyButton label="Copy resulting text" text={outcome.text} />
          </div>
          <div className="scroll-thin max-h-72 overflow-auto rounded-md border border-line px-2.5 py-2" data-result>
            <LongText text={outcome.text} />
          </div>
        </div>
      )}
    </div>
  );
}

function Result({
  result,
  title,
  selected,
  onSelect,
}: {
  result: CheckOutcome['results'][number];
  title: string;
  selected: boolean;
  onSelect?: () => void;
}): ReactNode {
  const { action, matches, reason, failed, truncated } = result;
  const note = reason ?? (result.triggered ? '' : 'No match.');
  return (
    <li className="flex min-w-0 items-center gap-2 border-t border-line py-1.5 first:border-t-0">
      {failed === true ? <Badge tone="bad">failed</Badge> : <ActionBadge action={action} done />}
      <span className="min-w-0 flex-1">
        <VisibleLine text={title} className="font-medium" />
        <span className="block text-xs text-ink-soft [overflow-wrap:anywhere]">{note}</span>
      </span>
      <span className="shrink-0 text-xs text-ink-faint">
        {truncated === true ? 'more than 100' : matches.length} {matches.length === 1 ? 'match' : 'matches'}
      </span>
      {onSelect && matches.length > 0 && (
        <Button size="small" pressed={selected} onClick={onSelect}>
          Mark only these
        </Button>
      )}
    </li>
  );
}
