import { useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { classNames } from '../../design/class-names.ts';

/** One bar: its name for assistive technology and its tooltip, and its heights as numbers of what it counts. */
export interface Bar {
  key: string;
  label: string;
  count: number;
  /** Of these, in the colour of errors. */
  bad?: number;
}

interface BarsProps {
  label: string;
  bars: readonly Bar[];
  /** Called with the first and the last bar that were chosen: by a click, by dragging, or by Enter, with Shift from the bar where the last choice began. */
  onRange(first: number, last: number): void;
  className?: string;
}

/** Bars of counts, of which a click chooses one and dragging several. One tab stop; the arrow keys move between bars. */
export function Bars({ label, bars, onRange, className }: BarsProps): ReactNode {
  const [focused, setFocused] = useState(0);
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const began = useRef(0);
  const group = useRef<HTMLDivElement>(null);
  const highest = Math.max(1, ...bars.map(({ count }) => count));
  const within = (index: number) => Math.min(Math.max(index, 0), bars.length - 1);
  const choose = (from: number, to: number) => onRange(Math.min(from, to), Math.max(from, to));
  const move = (event: KeyboardEvent<HTMLButtonElement>) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = within(focused + step);
    setFocused(next);
    group.current?.querySelectorAll('button')[next]?.focus();
  };
  const barAt = (event: PointerEvent): number => {
    const box = group.current?.getBoundingClientRect();
    return box ? within(Math.floor(((event.clientX - box.left) / box.width) * bars.length)) : 0;
  };
  const isIn = (index: number) => drag !== null && index >= Math.min(drag.from, drag.to) && index <= Math.max(drag.from, drag.to);
  return (
    <div
      ref={group}
      role="group"
      aria-label={label}
      className={classNames('flex touch-pan-y items-stretch select-none', className)}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const from = barAt(event);
        setDrag({ from, to: from });
      }}
      onPointerMove={(event) => drag && setDrag({ ...drag, to: barAt(event) })}
      onPointerUp={() => {
        if (drag) {
          began.current = drag.from;
          choose(drag.from, drag.to);
        }
        setDrag(null);
      }}
      onPointerCancel={() => setDrag(null)}
    >
      {bars.map(({ key, label: name, count, bad = 0 }, index) => (
        <button
          key={key}
          type="button"
          tabIndex={index === within(focused) ? 0 : -1}
          onKeyDown={move}
          onFocus={() => setFocused(index)}
          onClick={(event) => {
            // Pointers choose by pressing and letting go, and keys and assistive technology by a click.
            if (event.detail > 0) return;
            if (!event.shiftKey) began.current = index;
            choose(began.current, index);
          }}
          title={name}
          aria-label={name}
          className={classNames('flex min-w-0 flex-1 flex-col justify-end px-px hover:bg-hover', isIn(index) && 'bg-accent-soft')}
        >
          <span className="block bg-bad" style={{ height: `${(bad / highest) * 100}%` }} />
          <span
            className="block bg-(--series-1)"
            style={{ height: `${((count - bad) / highest) * 100}%`, minHeight: count > bad ? 2 : 0 }}
          />
        </button>
      ))}
    </div>
  );
}
