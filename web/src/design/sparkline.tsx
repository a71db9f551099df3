import type { ReactNode } from 'react';

interface SparklineProps {
  /** One value per bar, 0 or more. */
  values: readonly number[];
  /** What the bars say, in words. */
  label: string;
}

const height = 18;
const step = 7;
const barWidth = 5;
/** Smallest height of a bar with a value above 0. */
const minBar = 2;

/** Small bars without axes, scaled to the largest. Zeros are a baseline. */
export function Sparkline({ values, label }: SparklineProps): ReactNode {
  const largest = Math.max(...values, 1);
  return (
    <svg
      role="img"
      aria-label={label}
      width={values.length * step}
      height={height}
      viewBox={`0 0 ${values.length * step} ${height}`}
      className="shrink-0"
    >
      <title>{label}</title>
      {values.map((value, index) => {
        const size = value === 0 ? 1 : Math.max(minBar, (value / largest) * height);
        return (
          <rect
            // oxlint-disable-next-line react/no-array-index-key -- bars have a place and nothing else
            key={index}
            x={index * step}
            y={height - size}
            width={barWidth}
            height={size}
            className={value === 0 ? 'fill-line-strong' : 'fill-accent'}
          />
        );
      })}
    </svg>
  );
}
