import { ZoomOut } from 'lucide-react';
import { useState } from 'react';
import type { PointerEvent, ReactNode } from 'react';
import { classNames } from '../../design/class-names.ts';
import { formatDuration } from '../../format/number-format.ts';
import type { Stretch } from './critical-path.ts';

interface ZoomScaleProps {
  /** The part of the trace that the bars show, in milliseconds since its start. */
  shown: Stretch;
  isZoomed: boolean;
  /** null: the whole trace. */
  onZoom(to: Stretch | null): void;
}

/** Longer durations have two units and need more room. */
const twoUnitsMs = 60_000;
/** A shorter drag, as a share of the width, is a click. */
const minDrag = 0.02;

/** The times above the bars. Dragging over them zooms in; a double click, or the button, shows the whole trace again. */
export function ZoomScale({ shown, isZoomed, onZoom }: ZoomScaleProps): ReactNode {
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const totalMs = shown.endMs - shown.startMs;
  const placeOf = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - left) / width));
  };
  const end = () => {
    if (drag) {
      const [from, to] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
      if (to - from >= minDrag) onZoom({ startMs: shown.startMs + from * totalMs, endMs: shown.startMs + to * totalMs });
    }
    setDrag(null);
  };
  const label = (part: number) => formatDuration(shown.startMs + totalMs * part);
  return (
    <div className="relative flex min-w-0 items-center pl-3">
      <div
        aria-hidden
        title="Drag to zoom in"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDrag({ from: placeOf(event), to: placeOf(event) });
        }}
        onPointerMove={(event) => setDrag(drag && { ...drag, to: placeOf(event) })}
        onPointerUp={end}
        onPointerCancel={() => setDrag(null)}
        onDoubleClick={() => onZoom(null)}
        className="numbers @container relative flex flex-1 cursor-crosshair touch-none justify-between py-1 select-none"
      >
        {(shown.endMs < twoUnitsMs ? [0, 0.25, 0.5, 0.75, 1] : [0, 0.5, 1]).map((part) => (
          <span key={part} className={classNames('whitespace-nowrap', part % 1 > 0 && '@max-[13rem]:hidden')}>
            {label(part)}
          </span>
        ))}
        {drag && (
          <span
            className="absolute inset-y-0 bg-accent/25"
            style={{ left: `${Math.min(drag.from, drag.to) * 100}%`, width: `${Math.abs(drag.to - drag.from) * 100}%` }}
          />
        )}
      </div>
      {isZoomed && (
        <button
          type="button"
          aria-label="Reset zoom"
          title="Reset zoom"
          onClick={() => onZoom(null)}
          className="absolute inset-y-0 right-0 flex items-center bg-surface px-1 text-accent"
        >
          <ZoomOut className="size-3.5" aria-hidden />
        </button>
      )}
    </div>
  );
}
