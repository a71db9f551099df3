import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { evaluatorsQuery } from '../api/evaluators.ts';
import { Input } from '../design/field.tsx';

interface SlugInputProps {
  projectId: string;
  value: string;
  /** Called when a slug is chosen or typed. @param next the element that takes the focus */
  onSlug(slug: string, next: Element | null): void;
  labelHidden?: boolean;
  error?: string | null;
  className?: string;
}

/** Chooses the evaluator slug of a score: one of the project, or any other. */
export function SlugInput({ projectId, value, onSlug, labelHidden = false, error, className }: SlugInputProps): ReactNode {
  const { data } = useQuery(evaluatorsQuery(projectId));
  const slugs = (data?.evaluators ?? []).map(({ slug }) => slug);
  const list = useId();
  const [text, setText] = useState(value);
  const [shownFor, setShownFor] = useState(value);
  if (value !== shownFor) {
    setShownFor(value);
    setText(value);
  }
  const commit = (typed: string, next: Element | null = null) => {
    const slug = typed.trim();
    if (slug === '') setText(value);
    else if (slug !== value) onSlug(slug, next);
  };
  const type = (next: string) => {
    setText(next);
    if (slugs.includes(next)) commit(next);
  };
  return (
    <>
      <Input
        label="Evaluator"
        labelHidden={labelHidden}
        title="Evaluator slug of the score"
        placeholder="e.g. helpfulness"
        value={text}
        list={list}
        spellCheck={false}
        onChange={(event) => type(event.target.value)}
        onBlur={(event) => commit(text, event.relatedTarget)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          commit(text);
        }}
        {...(error === undefined ? {} : { error })}
        {...(className === undefined ? {} : { className })}
      />
      <datalist id={list}>
        {slugs.map((slug) => (
          <option key={slug} value={slug} />
        ))}
      </datalist>
    </>
  );
}
