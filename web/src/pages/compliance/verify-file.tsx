import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { useVerifyGivenPack } from '../../api/evidence-packs.ts';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { Input, TextArea } from '../../design/field.tsx';
import { formatBytes } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { CheckResults } from './check-results.tsx';
import { maxPackBytes } from '../../../../src/contract/limits.ts';

/** Verifies a downloaded pack: a file, or pasted text. */
export function VerifyFile(): ReactNode {
  const { projectId } = useProject();
  const verify = useVerifyGivenPack(projectId);
  const [file, setFile] = useState<File | null>(null);
  const [text, setText] = useState('');
  const given = file ?? (text.trim() === '' ? null : text);
  const tooLarge = file !== null && file.size > maxPackBytes;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (given !== null && !tooLarge) verify.mutate(given);
  };
  return (
    <Card title="Verify a downloaded pack">
      <form onSubmit={submit} className="flex flex-col gap-3 p-3">
        <p className="text-ink-soft">
          Checks that a JSON file is unchanged, signed by this installation, and in line with the audit log. Auditors can check
          hash and signature without an account: spanwise verify-pack.
        </p>
        <div className="grid gap-3 sm:grid-cols-2">
          <Input
            label="File (.json)"
            type="file"
            accept=".json,application/json"
            className="[&_input]:h-auto [&_input]:py-1.5"
            error={tooLarge ? `The file is ${formatBytes(file.size)}. A pack has at most 16 MiB.` : null}
            onChange={({ target }) => {
              verify.reset();
              setFile(target.files?.[0] ?? null);
            }}
          />
          <TextArea
            label="Or paste its text"
            mono
            rows={2}
            spellCheck={false}
            disabled={file !== null}
            value={text}
            onChange={({ target }) => {
              verify.reset();
              setText(target.value);
            }}
          />
        </div>
        <Button className="self-start" type="submit" busy={verify.isPending} disabled={given === null || tooLarge}>
          Verify
        </Button>
        {verify.error && (
          <p role="alert" className="text-bad">
            {verify.error.message}
          </p>
        )}
        {verify.data && <CheckResults verification={verify.data} />}
      </form>
    </Card>
  );
}
