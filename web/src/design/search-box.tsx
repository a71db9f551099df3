import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';

const debounceMs = 350;

interface SearchBoxProps {
  label: string;
  value: string;
  onSearch(text: string): void;
}

/** A search field. Searches 350 ms after the last key, or on Enter. */
export function SearchBox({ label, value, onSearch }: SearchBoxProps): ReactNode {
  const [text, setText] = useState(value);
  const [shownFor, setShownFor] = useState(value);
  // The value changed outside this field.
  if (value !== shownFor) {
    setShownFor(value);
    setText(value);
  }
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onSearch(text), debounceMs);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- only typing starts the timer
  }, [text]);
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(text);
      }}
      className="relative min-w-56 flex-1"
    >
      <Search className="pointer-events-none absolute top-2 left-2 size-4 text-ink-faint" aria-hidden />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        maxLength={1000}
        onChange={(event) => setText(event.target.value)}
        className="h-8 w-full rounded-md border border-line-strong/60 bg-surface pr-2 pl-8 placeholder:text-ink-faint"
      />
    </form>
  );
}
