import { useNavigate, useSearch } from '@tanstack/react-router';
import { CalendarDays, ChevronDown } from 'lucide-react';
import { Fragment, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Input } from '../design/field.tsx';
import { Menu, MenuItem, MenuSeparator } from '../design/menu.tsx';
import { Visible } from '../design/visible.tsx';
import { formatMoment } from '../format/time-format.ts';
import {
  chosenRange,
  dayRanges,
  isCustomRange,
  rangeLabels,
  rangeRequest,
  rangeStart,
  readRange,
  relativeRanges,
} from '../range.ts';
import type { RangeSearch } from '../range.ts';

/** Chooses the time range of the page, stored in the URL. Says so if the URL has a time range that does not exist. */
export function RangePicker(): ReactNode {
  const search = readRange(useSearch({ strict: false }));
  const navigate = useNavigate();
  const [choosing, setChoosing] = useState(false);
  const chosen = chosenRange(search);
  const label = chosen === null ? customLabel(search) : rangeLabels[chosen];
  const choose = (next: RangeSearch) =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({ ...before, ...noRange, ...next }),
    });
  return (
    <>
      {search.unknownRange !== undefined && (
        <span role="status" className="rounded-md bg-warn-soft px-2 py-1 text-xs text-warn">
          Unknown time range “<Visible text={search.unknownRange} />
          ”. Showing: {label}.
        </span>
      )}
      <Menu
        align="end"
        trigger={
          <Button aria-label={`Time range: ${chosen === null ? 'custom' : rangeLabels[chosen]}`}>
            <CalendarDays aria-hidden />
            {label}
            <ChevronDown className="text-ink-faint" aria-hidden />
          </Button>
        }
      >
        {[relativeRanges, dayRanges].map((ranges) => (
          <Fragment key={ranges[0]}>
            {ranges.map((range) => (
              <MenuItem key={range} current={range === chosen} onSelect={() => choose({ range })}>
                {rangeLabels[range]}
              </MenuItem>
            ))}
            <MenuSeparator />
          </Fragment>
        ))}
        <MenuItem current={isCustomRange(search)} onSelect={() => setChoosing(true)}>
          Custom range
        </MenuItem>
      </Menu>
      {choosing && <CustomRange search={search} onClose={() => setChoosing(false)} onChoose={choose} />}
    </>
  );
}

const noRange = { range: undefined, from: undefined, to: undefined, unknownRange: undefined };

function customLabel({ from, to }: RangeSearch): string {
  const start = from === undefined ? 'Start' : formatMoment(from);
  return `${start} – ${to === undefined ? 'now' : formatMoment(to)}`;
}

/** The bounds of the range of the page; the end only if it is not now. */
function boundsOf(search: RangeSearch, nowMs: number): RangeSearch {
  const startMs = rangeStart(search, nowMs);
  return { from: startMs === null ? undefined : new Date(startMs).toISOString(), to: rangeRequest(search, nowMs).to };
}

/** The value of a datetime-local input, in the viewer's time zone. */
function localInput(iso: string | undefined): string {
  if (iso === undefined) return '';
  const moment = new Date(iso);
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/**
 * The moment of a datetime-local input; undefined while it is empty. Text that was not edited stands for the moment that it shows, of which it lacks the
 * seconds, and which of two equal hours it is in where clocks go back.
 */
function instantOf(text: string, shown: string | undefined): string | undefined {
  if (text === localInput(shown)) return shown;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

interface CustomRangeProps {
  search: RangeSearch;
  onClose(): void;
  onChoose(range: RangeSearch): void;
}

function CustomRange({ search, onClose, onChoose }: CustomRangeProps): ReactNode {
  const [shown] = useState(() => boundsOf(search, Date.now()));
  const [from, setFrom] = useState(localInput(shown.from));
  const [to, setTo] = useState(localInput(shown.to));
  const start = instantOf(from, shown.from);
  const end = instantOf(to, shown.to);
  const wrong = start !== undefined && end !== undefined && start >= end ? 'The start must be before the end.' : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wrong !== null) return;
    onChoose({ from: start, to: end });
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Custom range"
      description={`Time zone: ${new Intl.DateTimeFormat().resolvedOptions().timeZone}`}
    >
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Input label="From" type="datetime-local" value={from} onChange={(event) => setFrom(event.target.value)} error={wrong} />
        <Input
          label="To"
          hint={'Leave empty for "until now".'}
          type="datetime-local"
          value={to}
          onChange={(event) => setTo(event.target.value)}
        />
        <Button look="primary" type="submit" disabled={start === undefined && end === undefined}>
          Apply
        </Button>
      </form>
    </Dialog>
  );
}
