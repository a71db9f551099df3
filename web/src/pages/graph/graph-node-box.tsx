import { Handle, Position } from '@xyflow/react';
import type { Node, NodeProps } from '@xyflow/react';
import { memo } from 'react';
import type { MouseEvent, ReactNode } from 'react';
import { classNames } from '../../design/class-names.ts';
import { VisibleLine } from '../../design/visible.tsx';
import { countedExactly, formatCount, formatExact, formatShare } from '../../format/number-format.ts';
import { visibleText } from '../../format/visible-text.ts';
import { typeOf } from './node-types.ts';
import { errorStrength } from './shown-graph.ts';
import type { DrawnNode } from './shown-graph.ts';

export interface BoxData extends Record<string, unknown> {
  drawn: DrawnNode;
  /** The page with the node opened. */
  href: string;
  onOpen(id: string): void;
  isOpened: boolean;
  isAffected: boolean;
  /** Drawn faintly: the opened node does not affect it. */
  faded: boolean;
}

/** Other clicks open a tab or window. */
function isPlain({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
}

/**
 * A node: icon and colour of its type, name and calls. The more errors, the redder. The whole box leads to its blast radius, by a plain link: hundreds of
 * links of the router would each follow the URL.
 */
export const GraphNodeBox = memo(function GraphNodeBox({ data }: NodeProps<Node<BoxData>>): ReactNode {
  const { drawn, href, onOpen, isOpened, isAffected, faded } = data;
  const { id, type, name, calls, errors, errorRate } = drawn.node;
  const { icon: Icon, color, one } = typeOf(type);
  const strength = errorStrength(errors, calls);
  const failing = errors === 0 ? '' : `, ${formatShare(errorRate)} errors`;
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <div
        title={`${countedExactly(calls, 'call')}, ${formatExact(errors)} failed`}
        className={classNames(
          'relative flex h-full items-center gap-2 rounded-md border px-2 text-xs shadow-card',
          isOpened && 'outline-2 outline-accent',
          isOpened || isAffected ? 'border-accent' : faded ? 'border-line text-ink-faint' : 'border-line-strong',
        )}
        style={{ background: `color-mix(in srgb, var(--bad-soft) ${faded ? 0 : strength}%, var(--surface))` }}
      >
        <Icon aria-hidden className="size-3.5 shrink-0" style={{ color: faded ? undefined : color }} />
        <a
          href={href}
          onClick={(event) => {
            if (!isPlain(event)) return;
            event.preventDefault();
            onOpen(id);
          }}
          aria-label={`${one} ${visibleText(name)}, ${formatCount(calls)} calls${failing}`}
          aria-current={isOpened ? 'true' : undefined}
          className="min-w-0 flex-1 font-medium after:absolute after:inset-0 hover:text-accent"
          draggable={false}
        >
          <VisibleLine text={name} />
        </a>
        <span className={classNames('numbers shrink-0 text-2xs', errors === 0 || faded ? 'text-ink-faint' : 'text-bad')}>
          {errors === 0 ? formatCount(calls) : formatShare(errorRate)}
        </span>
      </div>
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </>
  );
});
