import type { ReactNode } from 'react';
import { usePriceActions } from '../../api/prices.ts';
import { Confirm } from '../../design/dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';

interface DeletePriceProps {
  model: string;
  onClose(): void;
  /** Prices calls of the model anew. */
  onReprice(model: string): void;
}

/** Deletes the project's own price of a model. */
export function DeletePrice({ model, onClose, onReprice }: DeletePriceProps): ReactNode {
  const { projectId } = useProject();
  const { deletePrice } = usePriceActions(projectId);
  const say = useToast();
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title="Delete price?"
      description={
        <>
          New calls of <Visible text={model} className="font-medium text-ink" /> use the built-in price, or are unpriced if there
          is none. Past calls keep their cost until they are repriced.
        </>
      }
      action="Delete"
      busy={deletePrice.isPending}
      error={deletePrice.error?.message ?? null}
      onConfirm={() =>
        deletePrice.mutate(model, {
          onSuccess: () => {
            onClose();
            say('Price deleted', 'good', { label: 'Reprice past calls', onSelect: () => onReprice(model) });
          },
        })
      }
    />
  );
}
