import type { ReactNode } from 'react';
import type { ImpactCheck } from '../api/parts.ts';
import type { Impact } from '../api/service.ts';
import { Badge } from '../design/badge.tsx';
import { Figure } from '../design/figures.tsx';
import type { Tone } from '../design/badge.tsx';
import { IntervalChart } from '../design/interval-chart.tsx';
import { formatAxisEnd, impactMetrics, impactSentence, verdictLabels, verdictTones } from './impact-words.ts';

const badgeTones = { good: 'good', bad: 'bad', soft: 'neutral', faint: 'neutral' } as const satisfies Record<string, Tone>;

/** Before and after of each metric, with the interval of the difference and a verdict. */
export function ImpactChecks({ checks }: Pick<Impact, 'checks'>): ReactNode {
  return (
    <div className="grid gap-3 md:grid-cols-2 2xl:grid-cols-4">
      {checks.map((check) => (
        <Check key={check.metric} check={check} />
      ))}
    </div>
  );
}

function Check({ check }: { check: ImpactCheck }): ReactNode {
  const { metric, before, after, delta, ciLow, ciHigh, verdict } = check;
  const { title, format } = impactMetrics[metric];
  const tone = verdictTones[verdict];
  const sentence = impactSentence(check);
  const shown = (value: number | null, label: string) =>
    value === null ? <span title={label}>–</span> : <Figure value={value} format={format} label={label} />;
  return (
    <section aria-label={title} className="min-w-0 rounded-lg border border-line bg-surface px-3 py-2 shadow-card">
      <div className="flex items-center justify-between gap-2">
        <h3 className="text-sm font-semibold">{title}</h3>
        <Badge tone={badgeTones[tone]}>{verdictLabels[verdict]}</Badge>
      </div>
      <p className="numbers mt-1 text-xl font-semibold tracking-tight">
        <span className="text-ink-faint">{shown(before, 'Before')}</span>
        <span className="px-1.5 font-normal text-ink-faint">→</span>
        {shown(after, 'After')}
      </p>
      <div className="my-1">
        <IntervalChart
          value={delta}
          low={ciLow}
          high={ciHigh}
          tone={tone}
          label={`Difference. ${sentence}`}
          title={sentence}
          format={(value) => formatAxisEnd(metric, value)}
          width={290}
          margin={56}
        />
      </div>
      <p className="text-xs text-ink-soft">{sentence}</p>
    </section>
  );
}
