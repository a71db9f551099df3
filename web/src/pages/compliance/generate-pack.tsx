import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { useGeneratePack } from '../../api/evidence-packs.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Input } from '../../design/field.tsx';
import { useToast } from '../../design/toast.tsx';
import { useErrorFocus } from '../../design/use-error-focus.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { lastQuarter, rangeOfDays } from './pack-range.ts';

/** Generates a pack of a range of days, and opens it. */
export function GeneratePack({ onClose }: { onClose(): void }): ReactNode {
  const { at, projectId } = useProject();
  const generate = useGeneratePack(projectId);
  const navigate = useNavigate();
  const say = useToast();
  const [days, setDays] = useState(() => lastQuarter(Date.now()));
  const errors = fieldErrors(generate.error);
  const rest = errors.rest(['/from', '/to']);
  const element = useErrorFocus<HTMLFormElement>(generate.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    generate.mutate(rangeOfDays(days, Date.now()), {
      onSuccess: ({ id }) => {
        onClose();
        say('Evidence pack generated');
        void navigate(pages.evidencePack(at, id));
      },
    });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Generate evidence pack"
      description="SOC 2, with the records of at most 366 days. The pack is signed, kept, and recorded in the audit log."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form="pack-form" busy={generate.isPending}>
            Generate
          </Button>
        </>
      }
    >
      <form ref={element} id="pack-form" onSubmit={submit} className="grid gap-3 sm:grid-cols-2" noValidate>
        <Input
          label="From (UTC)"
          type="date"
          value={days.from}
          error={errors.at('/from')}
          onChange={({ target }) => setDays((before) => ({ ...before, from: target.value }))}
        />
        <Input
          label="To (UTC)"
          type="date"
          hint="The whole day; today: until now."
          value={days.to}
          error={errors.at('/to')}
          onChange={({ target }) => setDays((before) => ({ ...before, to: target.value }))}
        />
        {rest !== null && (
          <p role="alert" className="text-bad sm:col-span-2">
            {rest}
          </p>
        )}
      </form>
    </Dialog>
  );
}
