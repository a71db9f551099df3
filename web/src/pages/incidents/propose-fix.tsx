import { useQuery } from '@tanstack/react-query';
import { Sparkles } from 'lucide-react';
import { useId, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { ApiError } from '../../api/client.ts';
import { connectionsQuery } from '../../api/connections.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { useIncidentActions } from '../../api/incidents.ts';
import { promptsNamedQuery } from '../../api/prompts.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Input, Select } from '../../design/field.tsx';
import { useToast } from '../../design/toast.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';

/** Starts a fix proposal, after a dialog that says what is sent. Requires `incidents:manage` and `prompts:manage`. */
export function ProposeFix({ incidentId }: { incidentId: string }): ReactNode {
  const { can } = useProject();
  const [asking, setAsking] = useState(false);
  if (!can('incidents:manage') || !can('prompts:manage')) return null;
  return (
    <>
      <Button look="primary" onClick={() => setAsking(true)}>
        <Sparkles aria-hidden />
        Propose a fix
      </Button>
      {asking && <ProposeDialog incidentId={incidentId} onClose={() => setAsking(false)} />}
    </>
  );
}

const formId = 'propose-form';
const ownCodes = new Map([
  ['no_prompt', '/promptName'],
  ['no_model_connection', '/connection'],
]);

function ProposeDialog({ incidentId, onClose }: { incidentId: string; onClose(): void }): ReactNode {
  const { projectId } = useProject();
  const { propose } = useIncidentActions(projectId, incidentId);
  const connections = useQuery(connectionsQuery(projectId)).data?.modelConnections ?? [];
  const [promptName, setPromptName] = useState('');
  const [connection, setConnection] = useState('');
  const prompts = useQuery(promptsNamedQuery(projectId, promptName.trim())).data?.prompts ?? [];
  const list = useId();
  const say = useToast();
  const { error } = propose;
  const errors = fieldErrors(error, error instanceof ApiError ? ownCodes.get(error.code) : undefined);
  const rest = errors.rest(['/promptName', '/connection']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = {
      ...(promptName.trim() === '' ? {} : { promptName: promptName.trim() }),
      ...(connection === '' ? {} : { connection }),
    };
    propose.mutate(body, {
      onSuccess: () => {
        onClose();
        say('Fix proposal started');
      },
    });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Propose a fix?"
      description="Sends up to 20 failing traces and the prompt that they used to a model connection, which revises the prompt. The revision is stored as a version without labels: applications do not get it until you move a label to it."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form={formId} busy={propose.isPending}>
            Propose
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-3" noValidate>
        <Input
          label="Prompt"
          placeholder="The one that most failing traces used"
          list={list}
          value={promptName}
          spellCheck={false}
          onChange={(event) => setPromptName(event.target.value)}
          error={errors.at('/promptName')}
        />
        <datalist id={list}>
          {prompts.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Select<string>
          label="Model connection"
          value={connection}
          options={[
            { value: '', label: "The project's only one" },
            ...connections.map(({ name }) => ({ value: name, label: visibleText(name) })),
          ]}
          onValue={setConnection}
          error={errors.at('/connection')}
        />
        {rest !== null && (
          <p role="alert" className="text-bad">
            {rest}
          </p>
        )}
      </form>
    </Dialog>
  );
}
