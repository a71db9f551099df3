import { useRef, useState } from 'react';
import { refilled, same } from '../format/edited-values.ts';

interface EditedForm<Form> {
  /** The present values. */
  form: Form;
  /** The values before editing. */
  filled: Form;
  change(fields: Partial<Form>): void;
  /** Marks the present values as saved. */
  markSaved(): void;
  /** Whether the form has changes that were not saved. */
  isUnsaved(): boolean;
}

/** The values of a form. @param initial a new object updates the fields that were not edited */
export function useEditedForm<Form extends object>(initial: Form): EditedForm<Form> {
  const [form, setForm] = useState(initial);
  const [filled, setFilled] = useState(initial);
  const [shown, setShown] = useState(initial);
  // Read by the page's guard as soon as a save has succeeded, before the next rendering.
  const saved = useRef(initial);
  if (initial !== shown) {
    setShown(initial);
    setFilled(initial);
    setForm(refilled(form, filled, initial));
  }
  return {
    form,
    filled,
    change: (fields) => setForm((before) => ({ ...before, ...fields })),
    markSaved: () => {
      saved.current = form;
      setFilled((now) => refilled(form, filled, now));
    },
    isUnsaved: () => !same(form, filled) && form !== saved.current,
  };
}
