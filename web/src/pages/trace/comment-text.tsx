import { useQuery } from '@tanstack/react-query';
import { useId, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { maxCommentLength } from '../../../../src/contract/limits.ts';
import { membersQuery } from '../../api/members.ts';
import { classNames } from '../../design/class-names.ts';
import { TextArea } from '../../design/field.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { mentionAt, offeredFor, withMention } from './mention-text.ts';
import type { Mentioned } from './mention-text.ts';

interface CommentTextProps {
  label: string;
  value: string;
  onText(text: string): void;
  /** Ctrl and Enter. */
  onSend(): void;
  /** Escape. */
  onLeave(): void;
  error: string | null;
  focused?: boolean;
}

/** The text of a comment, in which `@` offers the members of the organization. */
export function CommentText({ label, value, onText, onSend, onLeave, error, focused = false }: CommentTextProps): ReactNode {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [cursor, setCursor] = useState<number | null>(null);
  const [chosen, setChosen] = useState(0);
  const written = useMemo(() => (cursor === null ? null : mentionAt(value, cursor)), [value, cursor]);
  const { organization } = useProject();
  const { data } = useQuery({ ...membersQuery(organization.id), enabled: written !== null });
  const offered = written === null ? [] : offeredFor(written.query, data?.members ?? []);
  const current = offered[Math.min(chosen, offered.length - 1)];
  const accept = (person: Mentioned) => {
    if (written === null) return;
    const next = withMention(value, written, person);
    onText(next.text);
    setCursor(null);
    // Once the field has the text.
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(next.cursor, next.cursor);
    });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const act = keyAct(event, offered.length > 0);
    if (act === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (act === 'send') onSend();
    else if (act === 'leave') onLeave();
    else if (act === 'close') setCursor(null);
    else if (act === 'accept') {
      if (current) accept(current);
    } else setChosen((Math.min(chosen, offered.length - 1) + act + offered.length) % offered.length);
  };
  return (
    <div className="relative">
      <TextArea
        ref={field}
        label={label}
        labelHidden
        placeholder="Markdown. @ mentions a member."
        rows={3}
        maxLength={maxCommentLength}
        value={value}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- The viewer has asked for this field.
        autoFocus={focused}
        error={error}
        aria-autocomplete="list"
        aria-controls={offered.length > 0 ? `${id}-members` : undefined}
        aria-activedescendant={current ? `${id}-${current.userId}` : undefined}
        onChange={(event) => {
          onText(event.target.value);
          setCursor(event.target.selectionStart);
          setChosen(0);
        }}
        onBlur={() => setCursor(null)}
        onKeyDown={onKeyDown}
      />
      {offered.length > 0 && (
        <div
          id={`${id}-members`}
          role="listbox"
          aria-label="Members"
          className="absolute inset-x-0 top-full z-10 mt-1 rounded-lg border border-line bg-raised p-1 shadow-high"
        >
          {offered.map((person) => (
            // The text field has the focus and handles the keys.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={person.userId}
              id={`${id}-${person.userId}`}
              role="option"
              tabIndex={-1}
              aria-selected={person === current}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => accept(person)}
              className={classNames(
                'flex cursor-pointer flex-col rounded-md px-2 py-1',
                person === current ? 'bg-hover' : 'hover:bg-hover',
              )}
            >
              <Visible text={person.name} className="truncate font-medium" />
              <Visible text={person.email} className="truncate text-2xs text-ink-faint" />
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

/** What a key does: with members offered, the arrows move among them by 1. */
function keyAct(
  { key, ctrlKey, metaKey, nativeEvent }: KeyboardEvent,
  isOffering: boolean,
): 'send' | 'leave' | 'close' | 'accept' | 1 | -1 | null {
  if (nativeEvent.isComposing) return null;
  if (key === 'Enter' && (ctrlKey || metaKey)) return 'send';
  if (key === 'Escape') return isOffering ? 'close' : 'leave';
  if (!isOffering) return null;
  if (key === 'Enter' || key === 'Tab') return 'accept';
  if (key === 'ArrowDown') return 1;
  return key === 'ArrowUp' ? -1 : null;
}
