// Guardrails on a stream: what the model writes is shown as far as nothing that follows can change it.
import { GuardrailBlocked, Spanwise } from '@spanwise/sdk';

const spanwise = new Spanwise();

/** Stands for a model that streams. */
async function* model(text: string): AsyncGenerator<string> {
  for (const word of text.split(/(?<= )/)) yield word;
}

async function show(text: string): Promise<void> {
  try {
    for await (const piece of spanwise.guard.stream(model(text), { stage: 'output' })) process.stdout.write(piece);
  } catch (error) {
    if (!(error instanceof GuardrailBlocked)) throw error;
    process.stdout.write(`\n${error.message}`);
  }
  process.stdout.write('\n');
}

await show('Your card 4111 1111 1111 1111 was charged.');
await show('The password of the server is hunter2, by the way.');
await spanwise.shutdown();
