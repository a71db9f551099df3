import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { createContext, use, useCallback, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { Button, IconButton } from './button.tsx';

interface Message {
  id: number;
  text: string;
  tone: 'good' | 'bad';
  action: ToastAction | undefined;
}

/** A button in a toast, such as "Open dataset". */
export interface ToastAction {
  label: string;
  onSelect(): void;
}

type Say = (text: string, tone?: Message['tone'], action?: ToastAction) => void;

const SayContext = createContext<Say>(() => undefined);

/** Shows a toast for six seconds. */
export function useToast(): Say {
  return use(SayContext);
}

/** Provides toasts to the dashboard. */
export function ToastProvider({ children }: { children: ReactNode }): ReactNode {
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const say = useCallback<Say>((text, tone = 'good', action) => {
    setMessages((before) => [...before.slice(-3), { id: Math.random(), text, tone, action }]);
  }, []);
  const provided = useMemo(() => say, [say]);
  return (
    <SayContext value={provided}>
      <Toast.Provider duration={6000} label="Message">
        {children}
        {messages.map(({ id, text, tone, action }) => (
          <Toast.Root
            key={id}
            onOpenChange={(open) => !open && setMessages((before) => before.filter((message) => message.id !== id))}
            className="flex items-center gap-2 rounded-lg border border-line bg-raised py-1 pr-1 pl-3 shadow-high"
          >
            {tone === 'good' ? (
              <CircleCheck className="size-4 shrink-0 text-good" aria-hidden />
            ) : (
              <CircleAlert className="size-4 shrink-0 text-bad" aria-hidden />
            )}
            <Toast.Description className="min-w-0 flex-1 break-words">{text}</Toast.Description>
            {action && (
              <Toast.Action asChild altText={action.label}>
                <Button look="quiet" size="small" onClick={action.onSelect}>
                  {action.label}
                </Button>
              </Toast.Action>
            )}
            <Toast.Close asChild>
              <IconButton label="Dismiss">
                <X aria-hidden />
              </IconButton>
            </Toast.Close>
          </Toast.Root>
        ))}
        <Toast.Viewport className="fixed right-4 bottom-4 z-50 flex w-88 max-w-[calc(100vw-2rem)] flex-col gap-2 outline-none" />
      </Toast.Provider>
    </SayContext>
  );
}
