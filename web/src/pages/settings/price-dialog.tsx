import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import { usePriceActions } from '../../api/prices.ts';
import type { OwnPrice } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Input } from '../../design/field.tsx';
import { useToast } from '../../design/toast.tsx';
import { useErrorFocus } from '../../design/use-error-focus.ts';
import { useProject } from '../../frame/project-context.ts';
import { rateFields, readPrice, textsOf } from './price-form.ts';
import type { PriceTexts, RateField } from './price-form.ts';

interface PriceDialogProps {
  /** The edited price, or the model of a new one; `''`: to be entered. */
  price: OwnPrice | { model: string };
  onClose(): void;
  /** Prices calls of the model anew. */
  onReprice(model: string): void;
}

const labels: Readonly<Record<RateField, readonly [label: string, placeholder: string]>> = {
  inputPerMillion: ['Input', ''],
  outputPerMillion: ['Output', ''],
  cachedInputPerMillion: ['Cached input', 'as input'],
  cacheWritePerMillion: ['Cache write', 'as input'],
};

/** Sets the project's own price of a model. */
export function PriceDialog({ price, onClose, onReprice }: PriceDialogProps): ReactNode {
  const { projectId } = useProject();
  const { setPrice } = usePriceActions(projectId);
  const say = useToast();
  const earlier = 'updatedAt' in price ? price : null;
  const [texts, setTexts] = useState<PriceTexts>(() => textsOf(price));
  const [wrong, setWrong] = useState<Partial<Record<keyof PriceTexts, string>>>({});
  const errors = fieldErrors(setPrice.error);
  const rest = errors.rest(Object.keys(texts).map((name) => `/${name}`));
  const element = useErrorFocus<HTMLFormElement>(setPrice.error);
  const field = (name: keyof PriceTexts) => ({
    value: texts[name],
    error: wrong[name] ?? errors.at(`/${name}`),
    onChange: (event: { target: { value: string } }) => setTexts((before) => ({ ...before, [name]: event.target.value })),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readPrice(texts, earlier);
    setWrong('errors' in read ? read.errors : {});
    if ('errors' in read) return;
    setPrice.mutate(read.price, {
      onSuccess: ({ model }) => {
        onClose();
        say('Price saved. New calls are priced by it.', 'good', {
          label: 'Reprice past calls',
          onSelect: () => onReprice(model),
        });
      },
    });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={earlier ? 'Edit price' : 'Set price'}
      description="Used for calls of this project instead of the built-in price."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form="price-form" busy={setPrice.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form ref={element} id="price-form" onSubmit={submit} className="flex flex-col gap-3" noValidate>
        <Input
          label="Model"
          hint="Exactly as recorded on calls."
          disabled={price.model !== ''}
          spellCheck={false}
          autoFocus={price.model === ''}
          {...field('model')}
        />
        <fieldset className="grid grid-cols-2 gap-3">
          <legend className="mb-1 text-xs text-ink-faint">US dollars per million tokens</legend>
          {rateFields.map((name) => (
            <Input
              key={name}
              label={labels[name][0]}
              placeholder={labels[name][1]}
              inputMode="decimal"
              autoComplete="off"
              {...field(name)}
            />
          ))}
        </fieldset>
        <Input label="Applies from (UTC)" type="date" hint="Leave empty to apply to all calls." {...field('from')} />
        {rest !== null && (
          <p role="alert" className="text-bad">
            {rest}
          </p>
        )}
      </form>
    </Dialog>
  );
}
